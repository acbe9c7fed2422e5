import { limits } from '../../contract/index.ts';
import { isNestedDeeper, isRecord, messageOf, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { mostGivenBytes, readGiven, saveAsUtf8, textOf } from './read-given.ts';

/**
 * Reads a JSON value from the command line: the text itself, `@file`, or `@-` for standard input, which many tools write as `-`.
 * @param flag named in the error
 * @throws UsageError `data_invalid` with the place, `data_unreadable`, `input_not_utf8`
 */
export async function readJson(context: Context, given: string, flag: string): Promise<unknown> {
  return (await readJsonAndText(context, given, flag)).value;
}

/**
 * The same for an object.
 * @param example an example for the hint
 * @throws UsageError also `data_invalid` if it is not an object
 */
export async function readJsonObject(
  context: Context,
  given: string,
  flag: string,
  example: string,
): Promise<Record<string, unknown>> {
  const value = await readJson(context, given, flag);
  if (isRecord(value)) return value;
  throw new UsageError('data_invalid', `${flag} is not a JSON object`, { hint: `For example: ${flag} '${example}'` });
}

/** The same, with the original text, for positions of problems. */
export async function readJsonAndText(
  context: Context,
  given: string,
  flag: string,
  mostBytes: number = mostGivenBytes,
): Promise<{ value: unknown; text: string }> {
  const { text, from } = await readText(context, given, flag, mostBytes);
  if (text.trim() === '') {
    throw new UsageError('data_invalid', `${from === flag ? `The value of ${flag}` : from} is empty`, {
      hint: isStdin(given)
        ? `This command reads its input from the pipe: echo '{"key":"value"}' | fn …`
        : `As in: ${flag} '{"key":"value"}'`,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (from !== flag) throw await placedProblem(text, from, error);
    throw new UsageError('data_invalid', `${from} is not valid JSON: ${messageOf(error)}`, {
      hint: `Quote it for your shell: ${flag} '{"key":"value"}'; or put it in a file: ${flag} @input.json`,
    });
  }
  const most = limits.request.jsonDepth;
  if (!isNestedDeeper(value, most)) return { value, text };
  throw new UsageError('data_invalid', `${from} is nested more than ${most} levels deep`, {
    hint: 'Flatten it into fewer levels.',
  });
}

const isStdin = (given: string): boolean => given === '@-' || given === '-';

/** Larger texts are not searched for the place of the problem, because that takes a while and much memory. */
const mostSearched = 4 * 1024 * 1024;

async function placedProblem(text: string, from: string, cause: unknown): Promise<UsageError> {
  const { jsonProblem } = await import('../../project/index.ts');
  const problem = text.length > mostSearched ? undefined : jsonProblem(text);
  const { message, hint, ...place } = problem ?? { message: messageOf(cause), hint: undefined };
  return new UsageError('data_invalid', `${from} is not valid JSON: ${message}`, {
    hint: hint ?? 'Correct it and try again.',
    location: { file: from, ...place },
    cause,
  });
}

async function readText(
  context: Context,
  given: string,
  flag: string,
  mostBytes: number,
): Promise<{ text: string; from: string }> {
  if (isStdin(given)) return { text: await context.stdin(mostBytes), from: 'Standard input' };
  if (!given.startsWith('@')) return { text: given, from: flag };
  const path = given.slice(1);
  if (path === '')
    throw new UsageError('data_unreadable', 'There is no file name after @', { hint: `As in: ${flag} @input.json` });
  return { text: textOf(await readGiven(context, path, mostBytes), path, saveAsUtf8), from: path };
}
