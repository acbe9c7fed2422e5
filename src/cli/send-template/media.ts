import { readFileSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { uploadBytes, uploadRefused } from '../../client/index.ts';
import type { Input } from '../../contract/index.ts';
import { messageOf, sha256Hex, UnreachableError, UsageError } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';

/** A file for the header of a template. The body contains `placeholder` until it is uploaded. */
export interface MediaFile {
  readonly path: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly placeholder: string;
}

const mostBytes = 100 * 1024 * 1024;
const types: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.3gp': 'video/3gpp',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** @throws UsageError media_unreadable, media_too_large */
export function mediaFile(path: string, folder: string): MediaFile {
  const file = resolve(folder, path);
  let content: Buffer;
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > mostBytes) {
      throw new UsageError(
        'media_too_large',
        `${path} is too large: ${found.size} bytes, at most ${mostBytes} can be uploaded`,
        {
          hint: 'Make it smaller, or pass an https link.',
        },
      );
    }
    content = readFileSync(file);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new UsageError(
      'media_unreadable',
      isMissing ? `There is no file ${path}` : `Cannot read ${path}: ${messageOf(cause)}`,
      {
        hint: 'The path is relative to the current folder.',
        cause,
      },
    );
  }
  const sha256 = sha256Hex(content);
  return {
    path: file,
    fileName: basename(file),
    contentType: types[extname(file).toLowerCase()] ?? 'application/octet-stream',
    bytes: content.length,
    sha256,
    placeholder: `file:${sha256}`,
  };
}

/**
 * Uploads a file for one message.
 * @returns its media id
 * @throws WorkspaceError if the workspace refuses it; UnreachableError if it cannot be uploaded. In both cases nothing was sent
 */
export async function uploadMedia(context: Context, target: Target, file: MediaFile): Promise<string> {
  const { fileName, contentType, bytes } = file;
  for (let attempt = 1; attempt <= 3; attempt++) {
    const order = await target.door(
      'templates.uploadCredentials',
      { fileName, contentType, bytes },
      { signal: context.signal },
    );
    if ((await put(context, target, order.uploadUrl, order.headers, readFileSync(file.path))) === 'done')
      return order.mediaId;
  }
  throw new UnreachableError('upload_failed', `${fileName} could not be uploaded`, {
    hint: 'Nothing was sent. Try again.',
  });
}

async function put(
  context: Context,
  target: Target,
  url: string,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Promise<'done' | 'lost'> {
  const { signal, env } = context;
  if (target.baseUrl !== undefined) {
    return await uploadBytes({ url, from: target.baseUrl, headers, bytes, signal, env });
  }
  // The workspace in this process has no address; its HTTP face is opened for the upload.
  const { pathname, search } = new URL(url);
  const path = pathname.replace(/^.*\/api\/[^/]+/, '') + search;
  const answer = await target.request({ method: 'PUT', path, headers, body: bytes, signal });
  if (answer.status < 300) return 'done';
  throw uploadRefused('The local workspace', answer);
}

type Body = Input<'templates.send'>;

/** Replaces the files in the body by media ids. */
export function withMedia(body: Body, ids: ReadonlyMap<string, string>): Body {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? (ids.get(value) ?? value) : value)),
  );
}
