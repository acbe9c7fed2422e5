import type { FunctionType } from '../contract/index.ts';

/** The context that tells a function where it runs. */
export interface SdkContext {
  readonly workspace: { readonly slug: string; readonly url: string };
  readonly app: string;
  readonly function: string;
  /** Deployment id, or `local`. */
  readonly version: string;
  readonly invocationId: string;
  readonly environment: 'local' | 'workspace';
  /** For a background call: the number of this try, counted from 1. */
  readonly attempt?: number;
}

/** JSON that crosses into the sandbox for one invocation; the prelude builds the `sdk` object from it. */
export interface SdkArgument {
  readonly type: FunctionType;
  readonly context: SdkContext;
  /** The request of a Server Side Method. A short body of valid UTF-8 travels as `text`; any other travels separately, as bytes. */
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

/** A call with options as it leaves the sandbox; a call without options is its bare input. */
export interface CallWithOptions {
  /** Exactly as the author passed them. */
  readonly $options: unknown;
  readonly input: unknown;
}

export function isCallWithOptions(value: unknown): value is CallWithOptions {
  return typeof value === 'object' && value !== null && '$options' in value && 'input' in value;
}
