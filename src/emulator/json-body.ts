import { refusal } from '../contract/index.ts';
import type { WorkspaceError } from '../std/index.ts';

/** @throws WorkspaceError content_type_unsupported when the bytes are not those that were meant */
export function refuseCompressed(coding: string | undefined): void {
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw refusal('content_type_unsupported', `The body must not be compressed; its Content-Encoding is ${coding}`);
}

/** Of a body that is no JSON by its own words. */
export function notJson(type: string | undefined): WorkspaceError {
  const given = type === undefined ? 'it has no Content-Type' : `its Content-Type is ${type}`;
  return refusal('content_type_unsupported', `The body must be application/json; ${given}`, {
    hint: "With curl: -H 'content-type: application/json'",
  });
}
