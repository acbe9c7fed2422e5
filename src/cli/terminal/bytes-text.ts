/** A size for people: `512 B`, `1.5 KiB`. */
export function bytesText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;
}
