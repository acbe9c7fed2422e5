import { UsageError } from '../std/index.ts';

/**
 * Checks headers and lowers their names. Node reports an invalid header only while sending, as if the connection had failed.
 * @throws UsageError header_invalid
 */
export function sendableHeaders(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalid(name, 'is not the name of a header');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw invalid(name, 'has characters that no header can have');
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function invalid(name: string, why: string): UsageError {
  return new UsageError('header_invalid', `"${name.slice(0, 60)}" ${why}`, {
    hint: 'A name may have letters, digits and hyphens; a value may not have line breaks or characters beyond Latin-1.',
  });
}
