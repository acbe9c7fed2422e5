import { type AddressKind, addressKind } from '../../std/index.ts';
import { isLoopback } from '../address.ts';

const maxUrlLength = 2_048;

/** Why something given for a webhook endpoint cannot be taken; for the refusal of an operation, or of an option of a command. */
export interface EndpointProblem {
  readonly code: 'webhook_url_invalid' | 'webhook_url_insecure' | 'webhook_url_private' | 'event_unknown';
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks where webhooks are to be sent: https, or http on this machine. What a name leads to is checked again at each connection
 * (`webhook/`), for it may change.
 * @param allowLoopback whether the workspace is on the machine of the developer
 * @returns the address in its usual spelling, by which the same endpoint is recognized
 */
export function checkEndpointUrl(
  text: string,
  { allowLoopback }: { readonly allowLoopback: boolean },
): { readonly url: string } | EndpointProblem {
  const given = text.trim();
  if (given.length > maxUrlLength) return invalid(given, `it is longer than ${maxUrlLength} characters`);
  // The URL parser drops line breaks silently.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(given)) return invalid(given, 'it has spaces or control characters');
  const url = URL.parse(given);
  if (url === null) return invalid(given, 'it is not an address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return invalid(given, `${url.protocol.slice(0, 20)} is neither https nor http`);
  if (url.username !== '' || url.password !== '')
    return {
      code: 'webhook_url_invalid',
      message: 'The address of the endpoint contains a user name or a password',
      hint: 'Leave them out: the signature shows who sends. A secret part can be in the path or the query.',
    };
  if (url.hash !== '') return invalid(given, 'it has a fragment (#…), which is never sent');
  const host = url.hostname.replace(/\.$/, '');
  const isHere = isLoopback(host) || host.endsWith('.localhost');
  const kind = kindOfHost(host) ?? (isHere ? 'loopback' : 'public');
  if (kind === 'loopback' && !allowLoopback)
    return {
      code: 'webhook_url_private',
      message: `${url.host} is this machine, which the workspace cannot reach`,
      hint: 'fn webhook listen --forward-to brings events to this machine.',
    };
  if (kind !== 'loopback' && kind !== 'public') return isPrivate(url.host, kind);
  if (url.protocol === 'http:' && !isHere)
    return {
      code: 'webhook_url_insecure',
      message: `${url.origin} is not encrypted`,
      hint: 'Use https. Plain http is only for this machine: localhost or 127.0.0.1.',
    };
  return { url: url.href };
}

/** @returns undefined for a name */
function kindOfHost(host: string): AddressKind | undefined {
  const address = host.replace(/^\[|\]$/g, '');
  return /^[\d.]+$|:/.test(address) ? addressKind(address) : undefined;
}

function isPrivate(host: string, kind: AddressKind): EndpointProblem {
  return {
    code: 'webhook_url_private',
    message: `${host} is a ${kind} address, not one on the internet`,
    hint: 'Webhooks go to public addresses, and from a local workspace to this machine. fn webhook listen --forward-to reaches others.',
  };
}

function invalid(given: string, why: string): EndpointProblem {
  return {
    code: 'webhook_url_invalid',
    message: `"${given.slice(0, 200)}" cannot be the address of an endpoint: ${why}`,
    hint: 'It looks like https://shop.example/webhooks, or http://127.0.0.1:9000/webhooks on this machine.',
  };
}
