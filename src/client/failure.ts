import { isProxyRefusal, messageOf } from '../std/index.ts';
import { type FailureKind, TransportFailure } from './transport.ts';

const tlsUntrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
]);

/** Turns a socket error into a message for the caller: each cause has a message and a hint of its own. */
export function failureOf(error: unknown, url: string, written: boolean, proxy: string | undefined): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const code = codeInCauses(error);
  const host = new URL(url).host;
  const make = (kind: FailureKind, message: string, hint?: string) =>
    new TransportFailure(kind, message, written, { cause: error, ...(hint === undefined ? {} : { hint }) });

  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA') {
    const asked = hostnameOf(error) ?? host;
    return make(
      'dns_failed',
      `the name ${asked} cannot be resolved`,
      'Check the address, and whether this machine is online.',
    );
  }
  if (proxy !== undefined && !written && (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ETIMEDOUT')) {
    return make('proxy_unreachable', `the proxy${at(proxy)} does not answer`, proxyHint);
  }
  if (saysTheProxy(error, code)) {
    return make(
      'proxy_refused',
      `the proxy${at(proxy)} refused to connect to ${host}: ${shortMessage(error)}`,
      proxyHint,
    );
  }
  if (code === 'ECONNREFUSED') {
    return make(
      'connection_refused',
      `nothing is listening at ${host}`,
      'Check the address and the port, and that the server is running.',
    );
  }
  if (tlsUntrusted.has(code)) {
    return make(
      'tls_untrusted',
      `the certificate of ${host} is not trusted (${code})`,
      'If your own certificate authority signed it, set FN_CA_FILE or NODE_EXTRA_CA_CERTS to its PEM file.',
    );
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const what = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return make(
      'tls_expired',
      `the certificate of ${host} ${what}`,
      'Check the clock of this machine. If it is right, the server must renew its certificate.',
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return make('tls_wrong_host', `the certificate of ${host} is for another host`, 'Check the address.');
  }
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') {
    // Under TLS 1.3 this arrives after our part of the handshake, when the request has been sent; the server has not accepted it.
    return new TransportFailure('tls_failed', `${host} requires a client certificate`, false, {
      hint: 'fn cannot send one: ask for an address that only needs an API token.',
      cause: error,
    });
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    return make(
      'tls_failed',
      `no encrypted connection to ${host} (${code})`,
      'Check that the server uses https on this port.',
    );
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return make('connection_lost', `the connection to ${host} broke in the middle of its answer`);
  }
  if (isNotHttp(error, code)) {
    return make('answer_broken', `${host} answered with something that is not HTTP (${code || shortMessage(error)})`);
  }
  if (code === 'ABORT_ERR' || nameOf(error) === 'AbortError') return make('aborted', 'the request was stopped');
  if (!written) return make('connection_failed', `no connection to ${host} (${code || shortMessage(error)})`);
  return make('connection_lost', `the connection to ${host} broke (${code || shortMessage(error)})`);
}

const proxyHint = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.';

function saysTheProxy(error: unknown, code: string): boolean {
  if (code === 'ERR_PROXY_TUNNEL' || code.startsWith('UND_ERR_PRX') || /proxy/i.test(nameOf(error))) return true;
  return code === 'UND_ERR_ABORTED' && isProxyRefusal(error);
}

/** In a bundle, undici's parser errors have no code, and unexpected input is reported as a socket failure. */
function isNotHttp(error: unknown, code: string): boolean {
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW' || nameOf(error) === 'HTTPParserError')
    return true;
  return code === '' && error instanceof Error && /^bad (?:response|upgrade)$/.test(error.message);
}

function at(proxy: string | undefined): string {
  if (proxy === undefined || !URL.canParse(proxy)) return '';
  return ` ${new URL(proxy).host}`;
}

/** Codes of undici that only wrap another error. */
const wrappers = new Set(['UND_ERR_SOCKET', 'UND_ERR_PRX_CONN']);

/** The first meaningful code in the chain of causes: `fetch` wraps the error of the socket. */
function codeInCauses(error: unknown): string {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    if ('code' in e && typeof e.code === 'string' && !wrappers.has(e.code)) return e.code;
  }
  return '';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function hostnameOf(error: unknown): string | undefined {
  return error instanceof Error && 'hostname' in error && typeof error.hostname === 'string'
    ? error.hostname
    : undefined;
}

function shortMessage(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 200) ?? '';
}
