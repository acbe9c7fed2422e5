import type { FunctionType } from '../contract/index.ts';

/** What a function is told about where it runs. */
export interface SdkContext {
  readonly workspace: { readonly slug: string; readonly url: string };
  readonly app: string;
  readonly function: string;
  /** Deployment id, or `local`. */
  readonly version: string;
  readonly invocationId: string;
  readonly environment: 'local' | 'workspace';
}

/** JSON that crosses into the sandbox for one invocation; the prelude makes the `sdk` object of it. */
export interface SdkArgument {
  readonly type: FunctionType;
  readonly context: SdkContext;
  /** Of a Server Side Method. A body that is short, valid UTF-8 travels as `text`; any other as bytes beside this. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly text?: string;
  };
  readonly flow?: Readonly<Record<string, unknown>>;
  readonly tool?: Readonly<Record<string, unknown>>;
  readonly cron?: { readonly scheduledAt: string; readonly lastRunAt: string | null };
  readonly setup?: {
    readonly phase: 'install' | 'update' | 'uninstall';
    readonly settings: Readonly<Record<string, unknown>>;
    readonly fromVersion: string | null;
  };
}

/** What a call with options becomes on its way out of the sandbox; a call without them is its bare input. */
export interface CallWithOptions {
  /** As the author gave them. */
  readonly $options: unknown;
  readonly input: unknown;
}

export function isCallWithOptions(value: unknown): value is CallWithOptions {
  return typeof value === 'object' && value !== null && '$options' in value && 'input' in value;
}
