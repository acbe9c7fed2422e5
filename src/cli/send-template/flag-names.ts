import { type FieldProblem, isRecord, WorkspaceError } from '../../std/index.ts';
import type { MessageFlags } from './message.ts';

/** The forms of `--header`, for hints. */
const headerForms =
  '--header is a text, @FILE to upload, an https link, a media id (med_…), or geo:LAT,LON. "fn template show NAME" says which of them the template needs.';

/**
 * A refusal of a message in the words of the person who typed it: with flags in place of the fields that they fill.
 * Anything else stays as it is, and so do fields that came with `--data`.
 */
export function byFlags(error: unknown, flags: MessageFlags): unknown {
  if (!(error instanceof WorkspaceError) || error.errors === undefined) return error;
  const errors = problemsByFlags(error.errors, flags);
  let { message } = error;
  for (const [at, { path, message: text }] of error.errors.entries()) {
    const shown = errors[at];
    if (shown !== undefined) message = message.replace(`${path} ${text}`, () => `${shown.path} ${shown.message}`);
    if (shown !== undefined) message = message.replace(`${path}: ${text}`, () => `${shown.path}: ${shown.message}`);
  }
  const { code, status, requestId, details, retryAfterSeconds, cause, location } = error;
  return new WorkspaceError(code, status, message, {
    errors,
    hint: headerHint(errors) ?? error.hint,
    nothingChanged: error.exitCode === 7 && status !== 429 && status !== 503,
    requestId,
    details,
    retryAfterSeconds,
    cause,
    location,
  });
}

/** The forms of a header, if one was wrong. */
export function headerHint(errors: readonly FieldProblem[]): string | undefined {
  return errors.some(({ path }) => path === '--header') ? headerForms : undefined;
}

/** The same problems, with flags in place of the fields that they fill. */
export function problemsByFlags(problems: readonly FieldProblem[], flags: MessageFlags): FieldProblem[] {
  return problems.map((problem) => {
    const flag = flagOf(problem.path, flags);
    // What stands in ({…}) is how it is written in JSON.
    return flag === undefined ? problem : { path: flag, message: problem.message.replace(/ \(\{.*\}\)/, '') };
  });
}

const flagsOfFields: readonly [field: string, flag: string, member: keyof MessageFlags][] = [
  ['to', '--to', 'to'],
  ['language', '--lang', 'lang'],
  ['assign', '--assign', 'assign'],
  ['header', '--header', 'header'],
  ['buttons', '--button', 'button'],
  ['carousel', '--carousel', 'carousel'],
];

/** The flag that fills a field. */
function flagOf(path: string, flags: MessageFlags): string | undefined {
  const [field = ''] = path.replace(/^variables\./, '').split(/[.[]/);
  if (field === 'body') {
    if (flags.body?.length) return '--body';
    if (flags.var?.length) return '--var';
    if (isInData('body', flags)) return undefined;
    return /^variables\.body\.[A-Za-z_]/.test(path) ? '--var' : '--body';
  }
  const [, flag, member] = flagsOfFields.find(([name]) => name === field) ?? [];
  if (member === undefined) return undefined;
  return flags[member] !== undefined || !isInData(field, flags) ? flag : undefined;
}

function isInData(field: string, { data }: MessageFlags): boolean {
  if (!isRecord(data)) return false;
  return field in data || (isRecord(data['variables']) && field in data['variables']);
}
