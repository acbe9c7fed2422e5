import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { codeOf, isInside, messageOf, ProjectError } from '../std/index.ts';
import { jsonProblem } from './json-text.ts';

/**
 * Reads a JSON file of an app.
 * @param shown the path as messages name it
 * @param maxBytes larger files are refused before they are read
 * @param within a folder that links may not leave, for files that functions can see or messages quote
 * @returns value and text; undefined when there is no such file
 * @throws ProjectError `json_broken`, `file_too_large`, `file_not_text`, `file_unreadable`, `file_outside_app`
 */
export async function readJsonFile(
  file: string,
  shown: string,
  maxBytes: number,
  within?: string,
): Promise<JsonFile | undefined> {
  const bytes = readSmallFile(file, shown, maxBytes, within);
  if (bytes === undefined) return undefined;
  return parseJsonText(bytes, shown);
}

export interface JsonFile {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Reads a text file of an app, as `readJsonFile` does.
 * @throws ProjectError `file_too_large`, `file_not_text`, `file_unreadable`, `file_outside_app`
 */
export function readTextFile(file: string, shown: string, maxBytes: number, within: string): string | undefined {
  const bytes = readSmallFile(file, shown, maxBytes, within);
  return bytes === undefined ? undefined : decoded(bytes, shown);
}

/** @throws ProjectError `file_not_text` */
function decoded(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProjectError('file_not_text', `${shown} is not UTF-8 text`, {
      hint: 'Save it as UTF-8.',
      cause,
      location: { file: shown },
    });
  }
}

/** @throws ProjectError `json_broken`, `file_not_text` */
function parseJsonText(bytes: Uint8Array, shown: string): JsonFile {
  const text = decoded(bytes, shown);
  const refuseProblem = () => {
    const problem = jsonProblem(text);
    if (problem === undefined) return;
    const { message, hint, ...place } = problem;
    throw new ProjectError('json_broken', `${shown} is not JSON: ${message}`, {
      hint: hint ?? 'Correct it and save.',
      location: { file: shown, ...place },
    });
  };
  // JSON.parse accepts deep nesting, which keeps it busy for half a minute, and duplicate fields. Small files are always scanned as
  // well: that costs less than a wrong guess.
  if (text.length < 65_536 || deeplyNested(text)) refuseProblem();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (wrong) {
    refuseProblem();
    throw new ProjectError('json_broken', `${shown} is not JSON: ${messageOf(wrong)}`, { location: { file: shown } });
  }
  return { value, text };
}

/** Estimates an upper bound of the depth without parsing strings, so that only texts that might be too deep are scanned. */
function deeplyNested(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > 200) return true;
  }
  return false;
}

/**
 * Synchronous, because every command reads `fn.config.json` at its start: loading `node:fs/promises` alone takes 5 ms.
 * @throws ProjectError `file_too_large`, `file_unreadable`, `file_outside_app`
 */
function readSmallFile(
  file: string,
  shown: string,
  maxBytes: number,
  within: string | undefined,
): Uint8Array | undefined {
  let handle: number;
  try {
    // Non-blocking: opening a pipe without a writer would wait for ever.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined;
    throw unreadable(shown, cause);
  }
  try {
    if (within !== undefined && !isInside(realpathSync(within), realpathSync(file)))
      throw new ProjectError('file_outside_app', `${shown} is a link that points outside the app`, {
        hint: 'Copy what it points to into the app.',
        location: { file: shown },
      });
    const found = fstatSync(handle);
    if (!found.isFile())
      throw new ProjectError('file_unreadable', `${shown} is not a file`, {
        hint: 'Replace it with a file.',
        location: { file: shown },
      });
    if (found.size > maxBytes)
      throw new ProjectError(
        'file_too_large',
        `${shown} is too large: ${found.size} bytes, at most ${maxBytes} can be read`,
        {
          hint: 'Make it smaller.',
          location: { file: shown },
        },
      );
    return readFileSync(handle);
  } catch (cause) {
    if (cause instanceof ProjectError) throw cause;
    throw unreadable(shown, cause);
  } finally {
    closeSync(handle);
  }
}

/** The error for a file or folder that exists but cannot be read. */
export function unreadable(shown: string, cause: unknown): ProjectError {
  const why = codeOf(cause) === 'EACCES' ? 'no permission' : (codeOf(cause) ?? 'it failed');
  return new ProjectError('file_unreadable', `${shown} cannot be read: ${why}`, {
    hint: 'Check its permissions.',
    cause,
    location: { file: shown },
  });
}
