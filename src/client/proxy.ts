import { isLoopback } from '../contract/index.ts';
import { type Environment, UsageError } from '../std/index.ts';

/**
 * Finds the proxy that the usual variables name for an address; undefined for a direct connection. As in browsers and Go, this machine
 * is never reached through a proxy: the proxy's loopback address is a different program, which would receive the token.
 * @param url `https://…`, or `http://…` of this machine
 * @param env `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; their lower-case forms take precedence
 * @throws UsageError proxy_invalid, because silently bypassing a configured proxy would be a surprise
 */
export function proxyFor(url: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const variables = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = variables.find((name) => env[name] !== undefined) ?? '';
  const named = env[variable];
  if (!named || isLoopback(hostname)) return undefined;
  const exceptions = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter((part) => part !== '');
  const there = { host: bare(hostname), port: port || (protocol === 'https:' ? '443' : '80') };
  if (exceptions.some((exception) => isExcepted(exception, there))) return undefined;
  if (/^https?:\/\//i.test(named) && URL.canParse(named)) return withReadableLogin(named);
  throw new UsageError('proxy_invalid', `${variable} is not a usable proxy address`, {
    hint: 'Use an address such as http://proxy.example.com:3128. NO_PROXY lists the hosts to reach without it.',
  });
}

/** Escapes a literal `%` in a password, which curl accepts but URL decoding does not. */
function withReadableLogin(proxy: string): string {
  const address = new URL(proxy);
  const { username, password } = address;
  if (isEncoded(username) && isEncoded(password)) return proxy;
  address.username = isEncoded(username) ? username : username.replaceAll('%', '%25');
  address.password = isEncoded(password) ? password : password.replaceAll('%', '%25');
  return address.href;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** @param exception `*`, a host or a domain, optionally with a port; an IPv6 address with a port is in brackets */
function isExcepted(exception: string, there: { host: string; port: string }): boolean {
  if (exception === '*') return true;
  const [, inBrackets, name, port] = /^(?:\[([^\]]*)\]|([^:]+))(?::(\d+))?$/.exec(exception) ?? [];
  if (port !== undefined && port !== there.port) return false;
  // Several colons without brackets: a bare IPv6 address.
  const meant = (inBrackets ?? name ?? exception).toLowerCase().replace(/^\*?\./, '');
  return meant !== '' && (there.host === meant || there.host.endsWith(`.${meant}`));
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
