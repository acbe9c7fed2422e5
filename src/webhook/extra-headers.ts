import { UsageError } from '../std/index.ts';

const maxHeaders = 50;
const maxHeaderBytes = 8 * 1024;

/** What we set ourselves, and what rules the connection. */
const reserved =
  /^(?:webhook-.*|host|content-length|content-type|content-encoding|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/;

/**
 * Checks headers that a user wants to be sent along.
 * @param given `Name: value`, one each
 * @returns lower-case names; the last of two with the same name
 * @throws UsageError header_invalid; the message never repeats the value
 */
export function readExtraHeaders(given: readonly string[]): Record<string, string> {
  if (given.length > maxHeaders) throw invalid(`There are ${given.length} headers, more than ${maxHeaders}`);
  const headers: Record<string, string> = {};
  for (const text of given) {
    const [, name = '', value] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    if (value === undefined) throw invalid(`A header has no colon`);
    if (!/^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name.trim()))
      throw invalid(`${JSON.stringify(name.slice(0, 60))} is not the name of a header`);
    const key = name.trim().toLowerCase();
    if (reserved.test(key)) throw invalid(`${key} cannot be set: it is part of each delivery`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim())) throw invalid(`${key} has characters that no header can have`);
    headers[key] = value.trim();
  }
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (bytes > maxHeaderBytes) throw invalid(`The headers have ${bytes} bytes, more than ${maxHeaderBytes}`);
  return headers;
}

function invalid(message: string): UsageError {
  return new UsageError('header_invalid', message, { hint: 'Write a header as "Name: value", without line breaks.' });
}
