import { constants, createReadStream, open } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { codeOf, LimitError, messageOf, shortened, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/** Default size limit of an input from standard input or a file. */
export const mostGivenBytes = 16 * 1024 * 1024;

/**
 * Reads a file named on the command line, or a pipe such as `<(…)`. Reads in chunks, so that an endless input (`/dev/zero`) is
 * refused before it fills the memory, and Ctrl-C works meanwhile, also before anybody writes to a named pipe.
 * @throws LimitError input_too_large
 * @throws UsageError data_unreadable
 */
export async function readGiven(
  { cwd, signal }: Pick<Context, 'cwd' | 'signal'>,
  path: string,
  mostBytes: number = mostGivenBytes,
): Promise<Buffer> {
  try {
    const file = resolve(cwd, path);
    const input = (await stat(file)).isFIFO()
      ? await openPipe(file, signal)
      : createReadStream(file, { signal, highWaterMark: 256 * 1024 });
    return await collected(input, path, mostBytes);
  } catch (error) {
    if (error instanceof LimitError || signal.aborted) throw error;
    throw new UsageError('data_unreadable', unreadable(path, error), {
      hint: `The path is relative to the current folder: ${cwd}`,
      cause: error,
    });
  }
}

/**
 * Opening a pipe waits until somebody writes to it, in a thread that nothing ends, not even the end of this process. Opened without waiting, it
 * is read like a socket.
 */
async function openPipe(file: string, signal: AbortSignal): Promise<Readable> {
  const fd = await promisify(open)(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const { Socket } = await import('node:net');
  return new Socket({ fd, readable: true, writable: false, signal });
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
      throw new LimitError('input_too_large', `${from} is larger than ${sizeText(mostBytes)}`, {
        hint: 'Pass less at once.',
      });
    }
    parts.push(part);
  }
  return Buffer.concat(parts, bytes);
}

/** A limit below one MiB, such as that of a secret, is told in KiB. */
function sizeText(bytes: number): string {
  const kib = Math.floor(bytes / 1024);
  return kib < 1024 ? `${kib} KiB` : `${Math.floor(kib / 1024)} MiB`;
}

function unreadable(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT') return `There is no file ${path}`;
  if (code === 'ENAMETOOLONG') return `Cannot read ${shortened(path, 60)}: its name is too long`;
  return `Cannot read ${path}: ${code === 'EISDIR' ? 'it is a folder' : messageOf(error)}`;
}

/**
 * Decodes UTF-8, without the byte order mark that Windows editors add.
 * @throws UsageError input_not_utf8
 */
export function textOf(bytes: Uint8Array, path: string, hint: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError('input_not_utf8', `${path} is not UTF-8 text`, { hint, cause });
  }
}

export const saveAsUtf8 =
  'Save it as UTF-8. (In Windows PowerShell, > writes UTF-16; use | Out-File -Encoding utf8 instead.)';
