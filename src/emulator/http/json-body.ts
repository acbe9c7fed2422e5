import { refusal } from '../../contract/index.ts';
import type { WorkspaceError } from '../../std/index.ts';

/** @throws WorkspaceError content_type_unsupported for a compressed body */
export function refuseCompressed(coding: string | undefined): void {
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw refusal('content_type_unsupported', `The body must not be compressed; its Content-Encoding is ${coding}`);
}

/** The refusal of a body whose content type is not JSON. */
export function notJson(type: string | undefined): WorkspaceError {
  const given = type === undefined ? 'it has no Content-Type' : `its Content-Type is ${type}`;
  return refusal('content_type_unsupported', `The body must be application/json; ${given}`, {
    hint: "With curl: -H 'content-type: application/json'",
  });
}
