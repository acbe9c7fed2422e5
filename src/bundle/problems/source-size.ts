/** Message for a source file that is too large. */
export function tooLarge(path: string, bytes: number, limit: number): string {
  return `${path} has ${megabytes(bytes)}, and a source file may have ${megabytes(limit)}`;
}

export const tooLargeHint = 'Keep large data in sdk.store or fetch it when it is needed.';

export function megabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}
