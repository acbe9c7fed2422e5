import { refusal } from '../../../contract/index.ts';
import type { Exchange } from '../exchange.ts';

/** Whether a form of a page was sent. */
export function isForm({ method, request }: Exchange): boolean {
  const type = request.headers['content-type'] ?? '';
  return method === 'POST' && type.startsWith('application/x-www-form-urlencoded');
}

/** The fields of a form of a page, which has at most so many bytes. */
export async function formOf(exchange: Exchange, mostBytes: number): Promise<URLSearchParams> {
  if (!isForm(exchange)) throw refusal('content_type_unsupported');
  return new URLSearchParams(Buffer.from((await exchange.body(mostBytes)) ?? '').toString('utf8'));
}
