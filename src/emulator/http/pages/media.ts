import type { Caller } from '../../../contract/index.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpParts } from '../parts.ts';
import { sendMedia } from '../send-media.ts';

/** `/tenants/<slug>/media/<id>`: uploads, for the pictures in a conversation. */
export async function serveMedia(parts: HttpParts, exchange: Exchange, mediaId: string, caller: Caller): Promise<void> {
  await parts.workspace.check('media.get', { mediaId }, caller);
  const media = await parts.workspace.media.read(mediaId);
  sendMedia(exchange, media, /^image\/(?:jpeg|png|webp)$/.test(media.contentType) ? 'inline' : 'attachment');
}
