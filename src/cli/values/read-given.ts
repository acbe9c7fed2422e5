import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { LimitError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/** Default size limit of an input from standard input or a file. */
export const mostGivenBytes = 16 * 1024 * 1024;

/**
 * Reads a file named on the command line, or a pipe such as `<(…)`. Reads in chunks, so that an endless input (`/dev/zero`) is
 * refused before it fills the memory, and Ctrl-C works meanwhile.
 * @throws LimitError input_too_large
 * @throws Error of the file system, which the caller rewords
 */
export async function readGiven(
  { cwd, signal }: Pick<Context, 'cwd' | 'signal'>,
  path: string,
  mostBytes: number = mostGivenBytes,
): Promise<Buffer> {
  const input = createReadStream(resolve(cwd, path), { signal, highWaterMark: 256 * 1024 });
  return await collected(input, path, mostBytes);
}

/**
 * Collects an input up to `mostBytes`.
 * @param from names the input in messages
 * @throws LimitError input_too_large
 */
export async function collected(input: AsyncIterable<unknown>, from: string, mostBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > mostBytes) {
      throw new LimitError('input_too_large', `${from} is larger than ${Math.floor(mostBytes / 1024 / 1024)} MiB`, {
        hint: 'Pass less at once.',
      });
    }
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}
