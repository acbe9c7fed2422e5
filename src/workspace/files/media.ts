import { type Caller, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import type { DoorOfState } from '../door/door.ts';
import type { Facts, Tx } from '../door/tx.ts';
import { type MediaRow, mediaOf, mediaRow, uploadSignature } from '../handlers/media.ts';
import { sameText } from '../tokens/hmac.ts';
import type { MediaDoor } from '../types.ts';
import type { FileStore } from './files.ts';
import { bareType, mediaTypeOf } from './media-rules.ts';

/** The caller of uploads: anyone with the signed address may upload. */
const uploader: Caller = { type: 'system', id: null, scopes: ['read', 'send'] };

/** Stores bytes of media: accepted once per credentials, checked while they arrive. */
export class MediaStore implements MediaDoor {
  readonly #door: DoorOfState;
  readonly #files: FileStore;
  readonly #facts: Facts;
  readonly #now: () => number;

  constructor(door: DoorOfState, files: FileStore, facts: Facts, now: () => number) {
    this.#door = door;
    this.#files = files;
    this.#facts = facts;
    this.#now = now;
  }

  async receive(
    input: ParsedInput<'media.upload'>,
    contentType: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Output<'media.upload'>> {
    const row = await this.#credited(input);
    if (bareType(contentType) !== row.content_type) {
      const said = contentType === '' ? 'The upload has no Content-Type' : `The upload says ${contentType}`;
      throw refusal('media_type_mismatch', `${said}; ${row.content_type} was announced`);
    }
    const kept = await this.#files.receive(body, expectationOf(row));
    return this.#perform(async (tx) => {
      const { numUpdatedRows } = await tx.db
        .updateTable('media')
        .set({ sha256: kept.sha256, uploaded_at: tx.now })
        .where('id', '=', row.id)
        .where('uploaded_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw refusal('upload_already_done');
      return mediaOf({ ...row, sha256: kept.sha256, uploaded_at: tx.now });
    });
  }

  async read(mediaId: string): Promise<{ bytes: Uint8Array; contentType: string; fileName: string }> {
    const row = await this.#find(mediaId);
    if (row?.sha256 == null) throw refusal('file_not_found', `There is no uploaded media ${mediaId}`);
    return { bytes: await this.#files.read(row.sha256), contentType: row.content_type, fileName: row.file_name };
  }

  async #credited({ mediaId, expires, signature }: ParsedInput<'media.upload'>): Promise<MediaRow> {
    const row = await this.#find(mediaId);
    if (row === undefined || !sameText(signature, uploadSignature(this.#facts.secret, mediaId, expires))) {
      throw refusal('upload_credentials_invalid');
    }
    if (row.uploaded_at !== null) throw refusal('upload_already_done');
    if (this.#now() > Number(expires)) {
      throw refusal('upload_credentials_expired', undefined, { hint: 'Request new credentials and upload again.' });
    }
    return row;
  }

  #find(mediaId: string): Promise<MediaRow | undefined> {
    return this.#door.perform('media.get', { mediaId }, uploader, {}, (tx) => mediaRow(tx, mediaId));
  }

  #perform<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#door.perform('media.upload', {}, uploader, {}, work);
  }
}

function expectationOf(row: MediaRow) {
  const type = mediaTypeOf(row.content_type);
  const wrongSize = () => refusal('media_size_mismatch', `${row.bytes} bytes were announced, others came`);
  return {
    mostBytes: row.bytes,
    tooLarge: wrongSize,
    begins: (head: Uint8Array) => {
      if (type?.begins(head) === true) return;
      throw refusal('media_type_mismatch', `The bytes are not those of a file of type ${row.content_type}`);
    },
    ends: ({ bytes }: { bytes: number }) => {
      if (bytes !== row.bytes) throw wrongSize();
    },
  };
}
