import type { Exchange } from './exchange.ts';

/** Headers that keep uploads from being run or shown as one of our pages. */
export const uploadedHeaders: readonly string[] = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "sandbox; default-src 'none'",
];

interface Media {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

/** @param how `inline` for a picture on one of our pages */
export function sendMedia(
  exchange: Exchange,
  { bytes, contentType, fileName }: Media,
  how: 'attachment' | 'inline',
): void {
  const disposition = `${how}; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  exchange.send(200, ['Content-Type', contentType, 'Content-Disposition', disposition, ...uploadedHeaders], bytes);
}
