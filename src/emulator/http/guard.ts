import type { IncomingMessage } from 'node:http';
import { limits, refusal } from '../../contract/index.ts';
import type { WorkspaceError } from '../../std/index.ts';

/** Which addresses the server answers to, and which pages may ask. */
export interface GuardOptions {
  /** `127.0.0.1:4400`, lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Names given by `--allow-host`: with any port or none, also behind https. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Given by `--allow-origin`. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** `--host`: other machines can reach this server. */
  readonly beyondLoopback: boolean;
}

const fetchSites = new Set(['same-origin', 'none']);

/**
 * Checks every request and every upgrade before routing. Loopback is not a boundary: any web page in a browser on this machine can
 * send requests here. Never throws.
 * @returns what is wrong; undefined if the request is allowed
 */
export function guard(request: IncomingMessage, options: GuardOptions): WorkspaceError | undefined {
  const { headers, rawHeaders, url = '' } = request;
  if (!url.startsWith('/') || url.startsWith('//'))
    return refusal('header_invalid', 'The request target must be a path');
  if (url.length > limits.request.urlBytes)
    return refusal('address_too_long', `The address is longer than ${limits.request.urlBytes} bytes`);
  let hosts = 0;
  let origins = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name === undefined || (name.length !== 4 && name.length !== 6)) continue;
    const lower = name.toLowerCase();
    if (lower === 'host') hosts++;
    else if (lower === 'origin') origins++;
  }
  if (hosts !== 1 || typeof headers.host !== 'string')
    return refusal('request_foreign', 'A request needs exactly one Host header');
  if (!isOurHost(headers.host, options)) {
    return refusal('request_foreign', 'This server does not answer to that Host', {
      hint: 'To reach it through a tunnel: fn dev --allow-host NAME',
    });
  }
  const { origin } = headers;
  if (origins > 1) return refusal('request_foreign', 'A request has at most one Origin header');
  const invited = origin !== undefined && options.allowedOrigins.has(origin);
  if (origin !== undefined && !invited && !isOurOrigin(origin, headers.host, options)) {
    return refusal('request_foreign', 'Pages of that origin may not call this server', {
      hint: 'To let them: fn dev --allow-origin ORIGIN',
    });
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !invited && (typeof site !== 'string' || !fetchSites.has(site))) {
    return refusal('request_foreign', 'Pages of other sites may not call this server');
  }
  return undefined;
}

/**
 * Whether even a public method requires a token: with `--host` it does for requests from other machines, except through a name that
 * was allowed explicitly (`--allow-host`). Decided by the connection's address, since a Host header can be forged.
 */
export function demandsToken(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  { beyondLoopback, allowedHosts }: GuardOptions,
): boolean {
  if (!beyondLoopback || isLoopback(socket.remoteAddress)) return false;
  return !allowedHosts.has(nameOf(headers.host ?? ''));
}

/**
 * The scheme that the client used. A tunnel terminates https and says so in a header, which is only trusted for a name that was allowed
 * explicitly (`--allow-host`).
 */
export function schemeOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { allowedHosts }: GuardOptions,
): 'http' | 'https' {
  if (allowedHosts.size === 0 || !allowedHosts.has(nameOf(headers.host ?? ''))) return 'http';
  const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',');
  return first.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

const isLoopback = (address = '') => /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address);

const nameOf = (host: string) => host.toLowerCase().replace(/:\d{1,5}$/, '');

function isOurHost(host: string, { hosts, allowedHosts }: GuardOptions): boolean {
  const lower = host.toLowerCase();
  return hosts.has(lower) || (allowedHosts.size > 0 && allowedHosts.has(nameOf(lower)));
}

/** Whether the origin is this server: any of its own addresses over http, or an allowed name over http or https. */
function isOurOrigin(origin: string, host: string, options: GuardOptions): boolean {
  if (origin.startsWith('http://') && isOurHost(origin.slice(7), options)) return true;
  const secure = origin.startsWith('https://') ? origin.slice(8).toLowerCase() : undefined;
  return (
    secure !== undefined &&
    options.allowedHosts.size > 0 &&
    secure === host.toLowerCase() &&
    isOurHost(secure, { ...options, hosts: new Set() })
  );
}

/** Whether a person follows a link from another site. They get a page without data instead of JSON. */
export function isForeignNavigation(request: IncomingMessage): boolean {
  const { headers, method } = request;
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}
