const mebibyte = 1024 * 1024;

export type MediaFormat = 'image' | 'video' | 'document';

interface MediaType {
  readonly format: MediaFormat;
  readonly mostBytes: number;
  /** Whether a file that begins like this can be of the type. */
  readonly begins: (head: Uint8Array) => boolean;
}

const startsWith =
  (...bytes: number[]) =>
  (head: Uint8Array) =>
    bytes.every((byte, index) => head[index] === byte);
const jpeg = startsWith(0xff, 0xd8, 0xff);
const png = startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const pdf = startsWith(0x25, 0x50, 0x44, 0x46, 0x2d);
const zip = startsWith(0x50, 0x4b, 0x03, 0x04);
const compound = startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
/** The box at the start of an ISO media file: length, then `ftyp`. */
const isoMedia = (head: Uint8Array) => startsWith(0x66, 0x74, 0x79, 0x70)(head.subarray(4));
const plainText = (head: Uint8Array) => head.length > 0 && !head.includes(0);

const image = (begins: MediaType['begins']): MediaType => ({ format: 'image', mostBytes: 5 * mebibyte, begins });
const video: MediaType = { format: 'video', mostBytes: 16 * mebibyte, begins: isoMedia };
const document = (begins: MediaType['begins']): MediaType => ({
  format: 'document',
  mostBytes: 100 * mebibyte,
  begins,
});

/** Media that the messaging-app channel accepts in a header: types, sizes, and the first bytes of their files. */
const mediaTypes: ReadonlyMap<string, MediaType> = new Map([
  ['image/jpeg', image(jpeg)],
  ['image/png', image(png)],
  ['video/mp4', video],
  ['video/3gpp', video],
  ['application/pdf', document(pdf)],
  ['text/plain', document(plainText)],
  ['text/csv', document(plainText)],
  ['application/msword', document(compound)],
  ['application/vnd.ms-excel', document(compound)],
  ['application/vnd.ms-powerpoint', document(compound)],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', document(zip)],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', document(zip)],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', document(zip)],
]);

/** A content type without its parameters, in lower case. */
export function bareType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

export function mediaTypeOf(contentType: string): MediaType | undefined {
  return mediaTypes.get(bareType(contentType));
}

export const supportedMedia = [...mediaTypes.keys()];
