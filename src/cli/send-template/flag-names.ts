import { type FieldProblem, isRecord, WorkspaceError } from '../../std/index.ts';
import type { MessageFlags } from './message.ts';

/** The forms of `--header`, for hints. */
const headerForms =
  'A header is a text, @FILE to upload, an https link, a media id (med_…), or geo:LAT,LON. "fn template show NAME" says which of them the template needs.';

/** The columns of a line of a list, with their values. */
type Row = Readonly<Record<string, string>>;

/**
 * A refusal of a message in the words of the person who typed it: with flags in place of the fields that they fill.
 * Anything else stays as it is, and so do fields that came with `--data`.
 * @param row for a line of a list, whose fields come from columns first
 */
export function byFlags(error: unknown, flags: MessageFlags, row?: Row): unknown {
  if (!(error instanceof WorkspaceError) || error.errors === undefined) return error;
  const errors = problemsByFlags(error.errors, flags, row);
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

/** The forms of a header, if one is missing or does not fit. */
export function headerHint(errors: readonly FieldProblem[]): string | undefined {
  const isAsked = ({ path, message }: FieldProblem) =>
    (path === '--header' || path === 'the column "header"') && !message.startsWith('must be left out');
  return errors.some(isAsked) ? headerForms : undefined;
}

/** The same problems, with flags or columns in place of the fields that they fill. */
export function problemsByFlags(problems: readonly FieldProblem[], flags: MessageFlags, row?: Row): FieldProblem[] {
  return problems.map((problem) => {
    const column = row === undefined ? undefined : columnOf(problem, flags, row);
    const name = column === undefined ? flagOf(problem.path, flags) : `the column "${column}"`;
    // What stands in ({…}) is how it is written in JSON.
    return name === undefined ? problem : { path: name, message: problem.message.replace(/ \(\{.*\}\)/, '') };
  });
}

const variableColumn = (name: string) => !['to', 'header', 'language', 'template'].includes(name) && !isButton(name);
const isButton = (name: string) => /^button\.\d$/.test(name);

/** The column that fills a field, or that would if the list had it; undefined if the field is filled otherwise. */
function columnOf({ path, message }: FieldProblem, flags: MessageFlags, row: Row): string | undefined {
  const [, field = path, at, name] = /^(?:variables\.)?(\w+)(?:\[(\d+)\])?(?:\.(\w+))?/.exec(path) ?? [];
  if (field === 'body') {
    const wanted = at === undefined ? name : String(Number(at) + 1);
    if (wanted !== undefined && wanted in row) return wanted;
    const byFlag = flags.var?.some((pair) => pair.startsWith(`${wanted}=`)) ?? false;
    return Object.keys(row).some(variableColumn) && !byFlag ? wanted : undefined;
  }
  if (field === 'buttons') {
    if (!Object.keys(row).some(isButton)) return undefined;
    const given = message.startsWith('is missing') ? undefined : flags.button?.[Number(at)]?.split('=')[0];
    return `button.${/button (\d)/.exec(message)?.[1] ?? given ?? at}`;
  }
  return row[field] ? field : undefined;
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
