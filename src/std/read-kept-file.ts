import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const mostBytes = 64 * 1024;

/**
 * A small file of our own state. Not blocking: of a pipe that stands in its place nobody would ever hear again, no signal either.
 * @returns undefined when there is none, or something else than such a file
 */
export function readKeptFile(file: string): Buffer | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(handle);
    return found.isFile() && found.size <= mostBytes ? readFileSync(handle) : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
