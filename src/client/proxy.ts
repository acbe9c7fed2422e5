import { isLoopback } from '../contract/index.ts';
import { UsageError } from '../std/index.ts';

/**
 * The proxy that the usual variables name for an address; undefined for a direct way. This machine is never asked for through a proxy,
 * as browsers and Go have it: what listens at its loopback address there is another program, and it would get the token.
 * @param url `https://…`, or `http://…` of this machine
 * @param env `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, also in small letters, which go first
 * @throws UsageError proxy_invalid: a way around a proxy that was named would be a surprise
 */
export function proxyFor(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
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

/** A `%` in a password that stands for itself, as curl takes it: whoever decodes it as a part of an address would stumble. */
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

/** @param exception `*`, a host, or a domain, with a port where only that one is meant; IPv6 in brackets then */
function isExcepted(exception: string, there: { host: string; port: string }): boolean {
  if (exception === '*') return true;
  const [, inBrackets, name, port] = /^(?:\[([^\]]*)\]|([^:]+))(?::(\d+))?$/.exec(exception) ?? [];
  if (port !== undefined && port !== there.port) return false;
  // Several colons and no brackets: an IPv6 address as it stands.
  const meant = (inBrackets ?? name ?? exception).toLowerCase().replace(/^\*?\./, '');
  return meant !== '' && (there.host === meant || there.host.endsWith(`.${meant}`));
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
