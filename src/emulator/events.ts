import type { FunctionType } from '../contract/index.ts';
import type { InvocationStatus, InvocationTrigger } from '../workspace/index.ts';

/** What happens in a living workspace, as it happens. */
export type EmulatorEvent =
  | {
      readonly type: 'invoked';
      readonly invocationId: string;
      readonly app: string;
      /** Name of the function. */
      readonly function: string;
      readonly functionType: FunctionType;
      readonly trigger: InvocationTrigger;
      readonly status: InvocationStatus;
      /** The function's own time. */
      readonly ms: number;
      readonly cpuMs: number;
      readonly error?: {
        readonly code: string;
        readonly name: string;
        readonly message: string;
        readonly stack?: string;
      };
      /** Of a method endpoint: how it was asked. */
      readonly request?: { readonly method: string; readonly path: string };
    }
  | {
      readonly type: 'log';
      readonly invocationId: string;
      readonly app: string;
      readonly function: string;
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly text: string;
      /** Milliseconds by the workspace clock. */
      readonly atMs: number;
    }
  /** An error in the frame of a Custom View, with its stack in the author's files. */
  | {
      readonly type: 'view-failed';
      readonly app: string;
      readonly function: string;
      readonly name: string;
      readonly message: string;
      readonly stack: string;
    }
  /** A cron job could not be run at all, or an event could not be dealt with: never the fault of a function's code. */
  | { readonly type: 'problem'; readonly code: string; readonly message: string };
