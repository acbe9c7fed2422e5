import { codeOf, MachineError, messageOf } from '../../std/index.ts';

/** Explains why the compiler's program does not run on this machine, and what to do. */
export function compilerUnavailable(cause: unknown): MachineError {
  const { why, hint } = reasonOf(messageOf(cause), codeOf(cause));
  return new MachineError('bundler_unavailable', `The bundler, esbuild, cannot be started: ${why}`, { hint, cause });
}

/** Explains a crash of the compiler. @param words what it printed */
export function compilerStopped(words: string, cause: unknown): MachineError {
  const [first = ''] = words.trim().split('\n');
  return new MachineError('bundler_stopped', `The bundler, esbuild, stopped: ${first.slice(0, 200)}`, {
    hint: 'This machine may be short of memory or threads. Stop other programs, then run it again.',
    cause,
  });
}

const again = 'Install the packages again on this machine, without --omit=optional.';

function reasonOf(message: string, code: string | undefined): { why: string; hint: string } {
  const [, path, reason] = /\bspawn (.+) (E[A-Z]+)$/m.exec(message) ?? [];
  if (reason === 'EACCES' || reason === 'EPERM')
    return {
      why: `${path} may not be executed`,
      hint: 'Check the permissions of the file, and that its disk is not mounted with noexec.',
    };
  if (reason === 'EAGAIN' || reason === 'ENOMEM')
    return {
      why: `this machine does not allow another process (${reason})`,
      hint: 'Stop other programs, or raise the limit (ulimit -u; in a container, its process limit).',
    };
  if (reason !== undefined) return { why: `${path} does not run (${reason})`, hint: again };
  if (message.includes('for another platform'))
    return {
      why: 'it is installed for another platform; node_modules may have been copied from another machine',
      hint: again,
    };
  const [, missing] = /^The package "([^"]+)" could not be found/.exec(message) ?? [];
  if (missing !== undefined || code === 'MODULE_NOT_FOUND')
    return { why: `the package ${missing ?? 'esbuild'} is not installed`, hint: again };
  if (message.startsWith('Cannot start service: Host version'))
    return {
      why: 'its program is of another version than its package',
      hint: process.env['ESBUILD_BINARY_PATH'] === undefined ? again : 'Unset ESBUILD_BINARY_PATH.',
    };
  return { why: message.trim(), hint: again };
}
