import { refusal } from '../../contract/index.ts';
import { hmac, sameText } from '../tokens/hmac.ts';

/**
 * A cursor names a place in the journal, whatever list or stream gave it. It is opaque: nobody outside the reader compares or adds
 * numbers, so that another database may number events in another way.
 */
export function makeEventCursor(seq: number, secret: string): string {
  const text = Buffer.from(String(seq)).toString('base64url');
  return `${text}.${hmac(secret, `event ${text}`).slice(0, 16)}`;
}

/** @throws WorkspaceError cursor_invalid for a cursor that this workspace did not give */
export function readEventCursor(cursor: string, secret: string): number {
  const [text = '', signed = '', ...rest] = cursor.split('.');
  if (rest.length > 0 || !sameText(signed, hmac(secret, `event ${text}`).slice(0, 16))) {
    throw refusal('cursor_invalid', undefined, {
      errors: [{ path: 'cursor', message: 'is not a cursor of the events of this workspace' }],
    });
  }
  return Number(Buffer.from(text, 'base64url').toString());
}
