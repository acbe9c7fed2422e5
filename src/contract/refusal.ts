import { WorkspaceError, type WorkspaceErrorOptions } from '../std/index.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

/** Makes the error of a refusal: one of the table's codes, with its status. */
export function refusal(code: ErrorCode, message?: string, options?: WorkspaceErrorOptions): WorkspaceError {
  return new WorkspaceError(code, errorCodes[code].status, message ?? errorCodes[code].title, options);
}
