import type { FunctionType } from '../contract/index.ts';
import type { WorkspaceError } from '../std/index.ts';
import type { InvocationStatus, InvocationTrigger } from '../workspace/index.ts';

/** Events of a running workspace. */
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
      /** Run time of the function itself. */
      readonly ms: number;
      readonly cpuMs: number;
      readonly error?: {
        readonly code: string;
        readonly name: string;
        readonly message: string;
        readonly stack?: string;
        /** What to do, if that is known. */
        readonly hint?: string;
      };
      /** For a method endpoint: the request. */
      readonly request?: { readonly method: string; readonly path: string };
      /** The HTTP status of the Response that the function returned. */
      readonly httpStatus?: number;
    }
  /** A request to a function's address that was refused before any function ran. */
  | {
      readonly type: 'refused';
      /** `path` as sent, still encoded. */
      readonly request: { readonly method: string; readonly path: string };
      readonly error: WorkspaceError;
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
  /** A call of a tool waits for somebody to confirm it. */
  | {
      readonly type: 'confirmation';
      readonly confirmationId: string;
      readonly tool: string;
      readonly by: 'human' | 'customer';
      /** The question. */
      readonly text: string;
    }
  /** A problem that is not the fault of a function's code: a cron job could not be run, or an event could not be handled. */
  | { readonly type: 'problem'; readonly code: string; readonly message: string };
