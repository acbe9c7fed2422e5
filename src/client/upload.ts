import { isLoopback } from '../contract/index.ts';
import { type Environment, isRecord, MachineError, UnreachableError } from '../std/index.ts';
import { transportOf } from './choose-transport.ts';
import { plainText } from './plain.ts';
import { readAll, TransportFailure } from './transport.ts';

/** Credentials for one upload, as the workspace gave them. */
export interface UploadOrder {
  readonly url: string;
  /** Address of the workspace that gave them. */
  readonly from: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly signal?: AbortSignal;
  readonly env?: Environment;
}

/**
 * Uploads bytes to an address that is its own credential and may be on another host, so no token is sent. Only a workspace on this machine may
 * name a program on it: any other would reach one that trusts whoever is here.
 * @returns `lost` when it is unknown whether the upload arrived; credentials are valid once, so a repeat needs new ones
 * @throws MachineError upload_address_invalid, upload_insecure, upload_refused; UnreachableError
 */
export async function uploadBytes(order: UploadOrder): Promise<'done' | 'lost'> {
  const address = URL.parse(order.url);
  if (!address) {
    throw new MachineError(
      'upload_address_invalid',
      `The workspace wants the upload at "${plainText(order.url, 100, true)}", which is not an address; nothing was uploaded`,
    );
  }
  const { protocol, hostname, host } = address;
  const isHere = isLoopback(hostname);
  if (isHere && !isLoopback(new URL(order.from).hostname)) {
    throw new MachineError(
      'upload_insecure',
      `The workspace wants the upload at ${host}, which is this machine; nothing was uploaded`,
    );
  }
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) {
    throw new MachineError(
      'upload_insecure',
      `The workspace wants the upload at ${host} without encryption; nothing was uploaded`,
    );
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(order.headers)) {
    const lower = name.toLowerCase();
    if (!['authorization', 'cookie', 'host', 'content-length', 'connection', 'transfer-encoding'].includes(lower))
      headers[lower] = value;
  }
  const deadlines = { connectMs: 10_000, firstByteMs: 120_000, totalMs: 600_000 };
  const transport = transportOf('light', deadlines, order.env);
  try {
    const stream = await transport.open(
      { method: 'PUT', url: order.url, headers, body: order.bytes },
      { deadlines, signal: order.signal },
    );
    const answer = await readAll(stream, 1024 * 1024);
    if (answer.status >= 200 && answer.status < 300) return 'done';
    if (answer.status >= 500 || answer.status === 408 || answer.status === 429) return 'lost';
    throw uploadRefused(host, answer);
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    if (error.written && error.kind !== 'aborted') return 'lost';
    throw new UnreachableError(error.kind, `The upload failed: ${error.message}`, { hint: error.hint, cause: error });
  } finally {
    await transport.close();
  }
}

/** @param by who refused it */
export function uploadRefused(by: string, { status, body }: { status: number; body: Uint8Array }): MachineError {
  const said = plainText(saidIn(Buffer.from(body).toString('utf8')), 300, true);
  return new MachineError('upload_refused', `${by} refused the upload (${status}): ${said}`, {
    hint: 'Check the type and the size of the file.',
  });
}

/** The detail of a problem document, or the unchanged text. */
function saidIn(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (isRecord(problem) && typeof problem['detail'] === 'string') return problem['detail'];
  } catch {
    // Not JSON: shown as it is.
  }
  return text;
}
