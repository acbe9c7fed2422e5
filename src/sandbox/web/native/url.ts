/** URLs of a context, parsed by Node's own parser. */
import querystring from 'node:querystring';
import { refuse, textOf } from './arguments.ts';

/** Length limit of a URL: some milliseconds of the child's main thread. */
const maxUrl = 16 * 1024 * 1024;

/** Settable components besides `href`, which is parsed again. */
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

/** Serialised components contain no line feed. The order is that of `layer/url.ts`. */
function componentsOf(url: URL): string {
  // Encoding can turn one character into nine. If the isolate has no room for that, V8 ends the process.
  if (url.href.length > maxUrl) throw refuse('url is too long');
  return `${url.href}\n${url.origin}\n${url.protocol}\n${url.username}\n${url.password}\n${url.host}\n${url.hostname}\n${url.port}\n${url.pathname}\n${url.search}\n${url.hash}`;
}

export const urlFunctions: Record<string, (...args: unknown[]) => unknown> = {
  /** All components, one per line; null if the text is not a URL. */
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
  /** Percent-decodes UTF-8; invalid sequences become U+FFFD. */
  'url.decode': (text) =>
    // Node's function would treat other characters as bytes.
    querystring.unescape(textOf(text, 'text', maxUrl).replace(/[^\0-\x7f]+/g, encodeURIComponent)),
};
