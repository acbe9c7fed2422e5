import { type ExitCode, InterruptedError, MachineError, shortened, UsageError } from '../../std/index.ts';
import type { Host } from '../host.ts';
import type { Notices } from '../io.ts';
import { sanitiseStyled } from '../terminal/sanitise.ts';
import { coloursOf, styleFor } from '../terminal/style.ts';
import { stopCommandsIn, stopCommandsInJson } from '../terminal/workflow-commands.ts';
import { errorJson, errorText, exitCodeOf } from './report.ts';

/**
 * Prints on standard error why a command failed.
 * @param notices with `--json`: notices of the command and the name of its workspace, which become part of the document
 * @returns the exit code
 */
export function reportFailure(
  thrown: unknown,
  argv: readonly string[],
  command: string,
  host: Host,
  notices?: Notices,
): ExitCode {
  const error = machineRefused(interruptedOr(thrown, host.signal));
  report(error, argv, command, host, notices);
  return exitCodeOf(error);
}

/** Any error after Ctrl-C counts as an interruption. */
function interruptedOr(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted) return error;
  const aborted = error === signal.reason || (error instanceof Error && error.name === 'AbortError');
  return aborted ? new InterruptedError('interrupted', 'Stopped', { cause: error }) : error;
}

/**
 * Errors of the machine are not bugs, wherever they occur: a full disk, a folder without permission. If too many files are open, that is
 * the reason for any other failure, and permissions or disk space need not be checked.
 */
function machineRefused(error: unknown): unknown {
  const tooLong = causesOf(error).find(({ code }) => code === 'ENAMETOOLONG');
  if (tooLong !== undefined && !isInWords(error)) return pathTooLong(tooLong);
  const starved = causesOf(error).find(({ code }) => code === 'EMFILE' || code === 'ENFILE');
  const { code, syscall, path } = starved ?? (error instanceof Error ? (error as NodeJS.ErrnoException) : {});
  const why = code !== undefined && syscall !== undefined ? refusals[code] : undefined;
  if (why === undefined) return error;
  const refused = syscall?.startsWith('spawn') ? 'cannot be started' : 'cannot be written or read';
  return new MachineError('machine_refused', `${path ?? 'A file'} ${refused}: ${why.what}`, {
    hint: why.hint,
    cause: error,
  });
}

/** Whether the command has said it already, rather than repeated what the system says. */
const isInWords = (error: unknown) => error instanceof UsageError && !error.message.includes('ENAMETOOLONG');

function pathTooLong(cause: NodeJS.ErrnoException): UsageError {
  const path = cause.path ?? '';
  const name = path.split(/[/\\]/).reduce((a, b) => (b.length > a.length ? b : a), '');
  const isName = Buffer.byteLength(name) > 255;
  const what = isName ? `The file name ${shortened(name, 60)}` : `The path ${shortened(path, 60)}`;
  return new UsageError('path_too_long', `${what} is longer than this system allows`, {
    hint: isName ? 'Use a name of at most 255 bytes.' : 'Use a shorter path.',
    cause,
  });
}

function causesOf(error: unknown): NodeJS.ErrnoException[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) causes.push(next);
  return causes;
}

const refusals: Readonly<Record<string, { what: string; hint: string }>> = {
  EACCES: { what: 'no permission', hint: 'Check the permissions of the file and its folder.' },
  EPERM: { what: 'no permission', hint: 'Check the permissions of the file and its folder.' },
  EROFS: { what: 'the disk is read-only', hint: 'Choose another folder, or mount it for writing.' },
  ENOSPC: { what: 'the disk is full', hint: 'Free some space, then run it again.' },
  EFBIG: { what: 'it has reached the file size limit', hint: 'Raise the limit (ulimit -f), then run it again.' },
  EDQUOT: { what: 'your disk quota is used up', hint: 'Free some space, then run it again.' },
  ENOTDIR: { what: 'there is a file where a folder should be', hint: 'Choose another folder, or move the file away.' },
  EEXIST: { what: 'something with that name already exists', hint: 'Choose another name, or move it away.' },
  EISDIR: { what: 'there is a folder where a file should be', hint: 'Choose another name, or move the folder away.' },
  EMFILE: { what: 'too many files are open', hint: 'Raise the limit (ulimit -n), then run it again.' },
  EAGAIN: { what: 'too many processes are running', hint: 'Close other programs, or raise the limit (ulimit -u).' },
  ENOMEM: { what: 'there is not enough memory', hint: 'Close other programs, then run it again.' },
  ENFILE: { what: 'too many files are open on this machine', hint: 'Close other programs, then run it again.' },
};

function report(
  error: unknown,
  argv: readonly string[],
  command: string,
  host: Host,
  notices: Notices | undefined,
): void {
  const before = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  const circumstances = {
    version: host.version,
    command,
    debug: before.includes('--debug') || Boolean(host.env['FN_DEBUG']),
  };
  if (before.includes('--json')) {
    host.err.write(`${stopCommandsInJson(host.env)(errorJson(error, circumstances, notices))}\n`);
    return;
  }
  const style = styleFor(coloursOf(host.env, host.err.isTerminal));
  host.err.write(`${stopCommandsIn(host.env)(sanitiseStyled(errorText(error, style, circumstances)))}\n`);
}
