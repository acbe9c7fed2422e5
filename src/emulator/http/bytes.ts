import type { OperationName, OperationsWhere, ParsedInput } from '../../contract/index.ts';
import { untouched } from '../invoke/failure.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';
import { sendMedia, uploadedHeaders } from './send-media.ts';

/** Operations whose body or answer is bytes: these go to the workspace and come from it as they are, not through a call. */
type BytesOperation = OperationsWhere<'rawBody', true> | OperationsWhere<'rawAnswer', true>;
type Serve<N extends OperationName> = (parts: HttpParts, exchange: Exchange, input: ParsedInput<N>) => Promise<void>;

const bytes: { readonly [N in BytesOperation]: Serve<N> } = {
  async 'media.upload'({ workspace }, exchange, input) {
    const type = exchange.request.headers['content-type'] ?? '';
    exchange.json(200, await untouched(workspace.media.receive(input, type, exchange.stream())));
  },
  async 'media.get'({ workspace }, exchange, { mediaId }) {
    sendMedia(exchange, await workspace.media.read(mediaId), 'attachment');
  },
  async 'deployments.putFile'({ workspace }, exchange, input) {
    exchange.json(200, await untouched(workspace.deployments.putFile(input, exchange.stream())));
  },
  async 'deployments.getFile'({ workspace }, exchange, input) {
    const file = await workspace.deployments.getFile(input);
    exchange.send(200, ['Content-Type', 'application/octet-stream', ...uploadedHeaders], file);
  },
};

/** How an operation with bytes is served; undefined if it has none. */
export function bytesOf(name: OperationName): Serve<OperationName> | undefined {
  return Object.hasOwn(bytes, name) ? (bytes[name as BytesOperation] as Serve<OperationName>) : undefined;
}
