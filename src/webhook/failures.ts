import { messageOf } from '../std/index.ts';
import type { AttemptError } from './attempt.ts';
import { AddressRefused } from './guarded-connector.ts';

/** Says what went wrong with a connection or an answer. */
export function describeFailure(error: unknown, url: string): AttemptError {
  const { host } = new URL(url);
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof AddressRefused);
  if (refused) return { code: 'address_refused', message: refused.message };
  const code = causes.map((cause) => ('code' in cause ? String(cause.code) : '')).find((it) => !wrappers.has(it)) ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA')
    return { code: 'host_not_found', message: `the name ${new URL(url).hostname} cannot be resolved` };
  if (code === 'ECONNREFUSED') return { code: 'connection_refused', message: `nothing is listening at ${host}` };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return { code: 'timeout', message: `${host} did not accept the connection in time` };
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return {
      code: 'certificate_invalid',
      message: `the certificate of ${host} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`,
    };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { code: 'certificate_invalid', message: `the certificate of ${host} is for another host` };
  if (/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_|^CERT_/.test(code))
    return { code: 'certificate_invalid', message: `the certificate of ${host} is not trusted (${code})` };
  if (code === 'EPROTO' || /^ERR_(?:SSL|TLS)/.test(code))
    return { code: 'tls_failed', message: `no encrypted connection to ${host} (${code})` };
  if (causes.some(isNotHttp))
    return { code: 'answer_invalid', message: `${host} answered with something that is not HTTP` };
  const what = code || messageOf(error).split('\n')[0]?.slice(0, 200);
  if (code === 'ECONNRESET' || code === 'EPIPE' || causes.some(isCut))
    return { code: 'connection_cut', message: `${host} closed the connection before it answered` };
  return { code: 'connection_failed', message: `no connection to ${host} (${what})` };
}

/** Codes of undici that only wrap another error. */
const wrappers = new Set(['', 'UND_ERR_SOCKET']);

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let e = error; e instanceof Error && causes.length < 8; e = e.cause) {
    causes.push(e);
    // Several addresses were tried.
    if (e instanceof AggregateError) causes.push(...e.errors.filter((one) => one instanceof Error).slice(0, 4));
  }
  return causes;
}

function isCut(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_SOCKET';
}

/** In a bundle, undici's parser errors have no code, and unexpected input is reported as a failure of the socket. */
function isNotHttp(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW' || error.name === 'HTTPParserError') return true;
  return /^bad (?:response|upgrade)$/.test(error.message);
}
