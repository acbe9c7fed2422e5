import { refusal } from '../../../contract/index.ts';
import type { Exchange } from '../exchange.ts';

/** Whether the request is a submitted form. */
export function isForm({ method, request }: Exchange): boolean {
  const type = request.headers['content-type'] ?? '';
  return method === 'POST' && type.startsWith('application/x-www-form-urlencoded');
}

/** The fields of a submitted form of at most `mostBytes`. */
export async function formOf(exchange: Exchange, mostBytes: number): Promise<URLSearchParams> {
  if (!isForm(exchange)) throw refusal('content_type_unsupported');
  return new URLSearchParams(Buffer.from((await exchange.body(mostBytes)) ?? '').toString('utf8'));
}
