import { refusal } from '../contract/index.ts';

/**
 * Refuses a value that is too large for one row: every list and every event carries whole rows.
 * @param text the value as it is stored, JSON
 * @throws WorkspaceError input_invalid
 */
export function requireSize(field: string, text: string, mostBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return;
  const message = `must have at most ${mostBytes} bytes as JSON, not ${bytes}`;
  throw refusal('input_invalid', `${field} ${message}`, { errors: [{ path: field, message }] });
}
