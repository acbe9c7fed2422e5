/** URLs of a context, parsed by Node's own parser. */
import querystring from 'node:querystring';
import { refuse, textOf } from './arguments.ts';

/** Longest text that is looked at as a URL: some milliseconds of the child's main thread. */
const maxUrl = 16 * 1024 * 1024;

/** What may be set, beside `href` (which is parsed anew). */
const settable = new Set([
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
]);

/** Serialised components hold no line feed. The order is that of `layer/url.ts`. */
function componentsOf(url: URL): string {
  // Encoded, a letter may have become nine: more than the isolate has room for, and V8 ends the process.
  if (url.href.length > maxUrl) throw refuse('url is too long');
  return `${url.href}\n${url.origin}\n${url.protocol}\n${url.username}\n${url.password}\n${url.host}\n${url.hostname}\n${url.port}\n${url.pathname}\n${url.search}\n${url.hash}`;
}

export const urlFunctions: Record<string, (...args: unknown[]) => unknown> = {
  /** All components, one a line; null where the text is no URL. */
  'url.parse'(text, base) {
    const url = URL.parse(textOf(text, 'url', maxUrl), base === undefined ? undefined : textOf(base, 'base', maxUrl));
    return url && componentsOf(url);
  },
  /** The components of `href` after one of them was set. */
  'url.set'(href, property, value) {
    const name = textOf(property, 'property');
    if (!settable.has(name)) throw refuse('not a settable property of a URL');
    const url = new URL(textOf(href, 'href', maxUrl));
    Reflect.set(url, name, textOf(value, 'value', maxUrl));
    return componentsOf(url);
  },
  /** Percent-decodes to UTF-8; what is no UTF-8 becomes U+FFFD. */
  'url.decode': (text) =>
    // Node's function takes the rest of the text for bytes.
    querystring.unescape(textOf(text, 'text', maxUrl).replace(/[^\0-\x7f]+/g, encodeURIComponent)),
};
