import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const maxBytes = 64 * 1024;

/**
 * Reads a small file of our own state. Non-blocking: a pipe in its place would block the process for ever, even for signals.
 * @returns undefined when there is no such regular file
 */
export function readKeptFile(file: string): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(handle);
    return found.isFile() && found.size <= maxBytes ? readFileSync(handle) : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
