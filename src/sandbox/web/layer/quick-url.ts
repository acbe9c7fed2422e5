import { apply, stringIndexOf } from './primordials.ts';

// Lower-case labels that end in no number (that would be an IPv4 address) and need no IDNA; or an IPv4 address as it is serialised.
const label = '(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const host = `(?:(?:${label}\\.)*(?!xn--)[a-z](?:[a-z0-9-]*[a-z0-9])?|(?:${octet}\\.){3}${octet})`;
/** What stands in a URL as it is written: nothing here is encoded, decoded or dropped by the parser. */
const plain = "[\\w\\-.~!$&()*+,;=:@/%'";
const path = `\\/${plain}]*`;
const query = '\\?[\\w\\-.~!$&()*+,;=:@/%?]+';
const hash = `#${plain}?]+`;
const quick = new RegExp(`^(https?:)//(${host})(?::([1-9]\\d{0,4}))?(${path})?(${query})?(${hash})?$`);
/** The expression may look at the beginning of a longer text very often. */
const longest = 2_048;
/** Segments that the parser resolves. */
const dots = /\/(?:\.|%2e)/i;
const { exec } = RegExp.prototype;

/**
 * The components of an ordinary absolute http address, which stand in it already: in the order of `native/url.ts`. To ask the child
 * takes ten times as long. undefined: ask.
 */
export function quickParts(url: string): string[] | undefined {
  if (url.length > longest) return undefined;
  const found = apply(exec, quick, [url]) as RegExpExecArray | null;
  if (!found) return undefined;
  const protocol = found[1] as string;
  const hostname = found[2] as string;
  const port = found[3] ?? '';
  const pathname = found[4] ?? '/';
  const search = found[5] ?? '';
  const fragment = found[6] ?? '';
  if (port !== '' && (+port > 65_535 || port === (protocol === 'http:' ? '80' : '443'))) return undefined;
  if (stringIndexOf(pathname, '/.') >= 0 || stringIndexOf(pathname, '%') >= 0) {
    if (apply(exec, dots, [pathname])) return undefined;
  }
  const all = port === '' ? hostname : `${hostname}:${port}`;
  const origin = `${protocol}//${all}`;
  return [
    `${origin}${pathname}${search}${fragment}`,
    origin,
    protocol,
    '',
    '',
    all,
    hostname,
    port,
    pathname,
    search,
    fragment,
  ];
}
