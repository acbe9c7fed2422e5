import { type ExitCode, FnError, messageOf, type SourceLocation, WorkspaceError } from '../../std/index.ts';
import type { Notices } from '../io.ts';
import { sanitise, toJson } from '../terminal/sanitise.ts';
import type { Style } from '../terminal/style.ts';
import { hintOf } from './where-to-look.ts';

/** The exit code for an error that ended a command. Anything but an FnError is a bug in `fn`. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof FnError ? error.exitCode : 70;
}

export interface Circumstances {
  readonly version: string;
  /** The command without its arguments. */
  readonly command: string;
  readonly debug: boolean;
}

/** An error for a person: what happened, where, what to do. For a bug: the stack, and where to report it. */
export function errorText(error: unknown, style: Style, circumstances: Circumstances): string {
  if (!(error instanceof FnError)) return bugText(error, style, circumstances);
  const lines = [`${style.red(style.bold('error'))} ${clean(error.message)}`];
  // Skipped if the message itself contains the position.
  if (error.location && !showsPlace(error.message, error.location)) lines.push(...placeLines(error.location, style));
  const { frames = [], fields, causes = [] } = error.run ?? {};
  // A single frame is the position that was shown already.
  if (frames.length > 1) lines.push(style.dim(frames.map((frame) => `    ${clean(frame)}`).join('\n')));
  if (fields !== undefined) lines.push(clean(fields));
  for (const cause of causes) lines.push(`  ${clean(cause).replaceAll('\n', '\n  ')}`);
  if (error instanceof WorkspaceError) {
    const [first] = error.errors ?? [];
    const said = error.message.replace(/ \(and \d+ more\)$/, '');
    const isSaid =
      first !== undefined &&
      (said === first.message ||
        [': ', ' '].some((between) => said.endsWith(`${first.path}${between}${first.message}`)));
    for (const { path, message } of (error.errors ?? []).slice(isSaid ? 1 : 0, 20)) {
      if (path !== '') lines.push(`  ${style.bold(clean(path))}: ${clean(message)}`);
      // Without a path the problem concerns the whole input, which the message may already say.
      else if (!error.message.includes(message)) lines.push(`  ${clean(message)}`);
    }
    const more = (error.errors?.length ?? 0) - 20;
    if (more > 0) lines.push(`  … and ${more} more`);
  }
  const hint = hintOf(error);
  if (hint)
    lines.push(
      ...clean(hint)
        .split('\n')
        .map((line, i) => `${i === 0 ? style.cyan('→') : ' '} ${line}`),
    );
  if (circumstances.debug) lines.push(style.dim(stackText(error)));
  return lines.join('\n');
}

/** The same for machines: one line on standard error. */
export function errorJson(
  error: unknown,
  circumstances: Circumstances,
  told?: Pick<Notices, 'workspace' | 'take'>,
): string {
  const exitCode = exitCodeOf(error);
  const known = error instanceof FnError ? error : undefined;
  const refused = error instanceof WorkspaceError ? error : undefined;
  const notices = told?.take() ?? [];
  return toJson({
    error: {
      code: known?.code ?? 'bug',
      message: messageOf(error),
      hint: known ? hintOf(known) : reportHint(circumstances),
      exitCode,
      outcome: outcomes[exitCode],
      requestId: refused?.requestId,
      errors: refused?.errors,
      details: refused?.details,
      location: known?.location,
      ...known?.run,
      stack: !known || circumstances.debug ? stackText(error) : undefined,
      notices: notices.length > 0 ? notices : undefined,
    },
    workspace: told?.workspace,
  });
}

/** Whether the requested change happened, for exit codes where that applies. */
const outcomes: Partial<Record<ExitCode, 'not_done' | 'unknown'>> = {
  1: 'not_done',
  2: 'not_done',
  4: 'not_done',
  7: 'not_done',
  8: 'unknown',
  9: 'not_done',
};

/** A warning of a build: which function, what, and where. */
export function warningText(
  name: string,
  { message, location }: { readonly message: string; readonly location?: SourceLocation },
  style: Style,
): string {
  const place = location === undefined || showsPlace(message, location) ? [] : placeLines(location, style);
  return [`${style.yellow('warning')} ${name}: ${clean(message)}`, ...place].join('\n');
}

function showsPlace(message: string, location: SourceLocation): boolean {
  return message.includes(location.line === undefined ? `${location.file}:` : placeOf(location));
}

function placeOf({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

/** `file:line:col`, the source line, a caret below the column. */
function placeLines(location: SourceLocation, style: Style): string[] {
  const { line, column, text } = location;
  const lines = [`  ${style.cyan(clean(placeOf(location)))}`];
  if (text === undefined || line === undefined) return lines;
  // A long line (minified code) is cut around the column.
  const at = Math.max(0, (column ?? 1) - 1);
  const from = at > 100 ? at - 60 : 0;
  const shown = clean(text.slice(from, from + 140))
    .replaceAll('\t', ' ')
    .replaceAll('\n', ' ');
  const gutter = `  ${line} | `;
  lines.push(`${style.dim(gutter)}${shown}`);
  if (column !== undefined)
    lines.push(`${style.dim(`${' '.repeat(gutter.length - 2)}| `)}${' '.repeat(at - from)}${style.red('^')}`);
  return lines;
}

function bugText(error: unknown, style: Style, circumstances: Circumstances): string {
  return [
    `${style.red(style.bold('fn has a bug'))} ${clean(messageOf(error))}`,
    style.dim(stackText(error)),
    `${style.cyan('→')} ${reportHint(circumstances)}`,
  ].join('\n');
}

function reportHint({ version, command }: Circumstances): string {
  return (
    `Please report it with the lines above ("npm bugs convo-fn" opens the issue tracker): ` +
    `convo-fn ${version}, Node ${process.version}, ${process.platform} ${process.arch}, command: fn ${command}`
  );
}

function stackText(error: unknown): string {
  const parts: string[] = [];
  let cause: unknown = error;
  for (let depth = 0; cause !== undefined && depth < 5; depth++) {
    const text = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause);
    parts.push(depth === 0 ? text : `caused by ${text}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return clean(parts.join('\n'));
}

const clean = (text: string): string => sanitise(text.length > 20_000 ? `${text.slice(0, 20_000)} …` : text);
