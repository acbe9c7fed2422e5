import type { Selectable } from 'kysely';
import { limits, type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';
import { bareType, mediaTypeOf, supportedMedia } from '../files/media-rules.ts';
import { hmac } from '../tokens/hmac.ts';
import type { HandlersOf } from './index.ts';

export type MediaRow = Selectable<Tables['media']>;

/** `media.upload` and `media.get` move bytes, so the machine carries them out: see ../media.ts. */
export const mediaHandlers: HandlersOf<'media'> = {
  async 'media.createUpload'({ fileName, contentType, bytes }, tx) {
    const type = mediaTypeOf(contentType);
    if (type === undefined) {
      throw refusal('media_type_unsupported', `Media of type ${contentType} cannot be used in a template header`, {
        errors: [{ path: 'contentType', message: `must be one of ${supportedMedia.join(', ')}` }],
      });
    }
    if (bytes > type.mostBytes) {
      throw refusal('media_too_large', `${bytes} bytes are too many: ${type.mostBytes} are the most for this type`, {
        errors: [{ path: 'bytes', message: `must be at most ${type.mostBytes}` }],
      });
    }
    const expiresAt = tx.now + limits.media.expiresMinutes * 60_000;
    const row: MediaRow = {
      id: newId('med', tx.now),
      file_name: fileName,
      content_type: bareType(contentType),
      bytes,
      sha256: null,
      expires_at: expiresAt,
      created_at: tx.now,
      uploaded_at: null,
    };
    await tx.db.insertInto('media').values(row).execute();
    await forgetUnused(tx);
    const { slug, baseUrl, secret } = tx.facts;
    const signature = uploadSignature(secret, row.id, String(expiresAt));
    return {
      mediaId: row.id,
      uploadUrl: `${baseUrl()}/api/${slug}/media/${row.id}?expires=${expiresAt}&signature=${signature}`,
      method: 'PUT',
      headers: { 'Content-Type': row.content_type },
      expiresAt: toTimestamp(expiresAt),
      maxBytes: bytes,
    };
  },
};

/** Deletes unused credentials one day after they expired. */
async function forgetUnused(tx: Tx): Promise<void> {
  await tx.db
    .deleteFrom('media')
    .where('uploaded_at', 'is', null)
    .where('expires_at', '<', tx.now - 86_400_000)
    .execute();
}

/** The signature that proves an upload address to be ours. */
export function uploadSignature(secret: string, mediaId: string, expires: string): string {
  return hmac(secret, `upload ${mediaId} ${expires}`);
}

/** @throws WorkspaceError media_not_found for media that does not exist or never arrived */
export async function uploadedMedia(tx: Tx, id: string): Promise<MediaRow> {
  const row = await mediaRow(tx, id);
  if (row?.uploaded_at == null) {
    throw refusal('media_not_found', `There is no uploaded media ${id}`, {
      errors: [{ path: 'media.mediaId', message: 'is not the id of uploaded media' }],
    });
  }
  return row;
}

export function mediaRow(tx: Tx, id: string): Promise<MediaRow | undefined> {
  return tx.db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst();
}

export function mediaOf(row: MediaRow): Output<'media.upload'> {
  return {
    id: row.id,
    contentType: row.content_type,
    bytes: row.bytes,
    fileName: row.file_name,
    uploadedAt: row.uploaded_at === null ? null : toTimestamp(row.uploaded_at),
  };
}
