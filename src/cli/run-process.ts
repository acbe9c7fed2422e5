import { readFileSync } from 'node:fs';
import { type ExitCode, packageFile, tookForeign } from '../std/index.ts';
import { reportFailure } from './failures/report-failure.ts';
import type { CutOff, Host } from './host.ts';
import { processHost } from './process-host.ts';

/** Replaced by the package's version in the build. */
declare const PACKAGE_VERSION: string;

/** How long a command may clean up after the first Ctrl-C. */
const leaveAfterMs = 8_000;

/**
 * Runs a command line in this process, with signals and exit code. The only place that ends the process.
 * @param argv the words after the executable's name
 * @param run  runs the command; never throws
 */
export async function runProcess(
  argv: readonly string[],
  run: (argv: readonly string[], host: Host) => Promise<ExitCode>,
): Promise<never> {
  // With a umask such as 777, this command could not access the folders that it creates.
  process.umask(process.umask(0o077) & 0o077);
  // On Windows, Node first looks for programs in the current folder, and a git.exe may have come with the app. (libuv#4238)
  if (process.platform === 'win32') process.env['NoDefaultCurrentDirectoryInExePath'] ??= '1';
  const stopping = new AbortController();
  let cutOff: CutOff | undefined;
  let code: 130 | 143 | undefined;
  const host = processHost(versionOf(), stopping.signal, (state) => {
    cutOff = state;
  });

  const leaveNow = (): never => {
    if (cutOff) host.err.write(`${cutOff.message}\n`);
    process.exit(cutOff?.exitCode ?? code ?? 130);
  };
  const stop = (by: 130 | 143) => {
    if (stopping.signal.aborted) return leaveNow();
    code = by;
    stopping.abort();
    setTimeout(leaveNow, leaveAfterMs).unref();
  };
  process.on('SIGINT', () => stop(130));
  process.on('SIGTERM', () => stop(143));
  process.on('SIGHUP', () => stop(143));

  process.on('uncaughtException', (error) => {
    // A package of the app threw it, and the work that uses the package ends for it.
    if (tookForeign(error)) return;
    process.exit(reportFailure(error, argv, argv[0] ?? '', host));
  });

  const ended = await run(argv, host);
  await Promise.all([host.out.drained(), host.err.drained()]);
  if (host.out.failure !== undefined) {
    host.err.write(`error standard output cannot be written: ${host.out.failure.message}\n`);
    if (ended === 0) {
      host.err.write('→ The command itself succeeded; only its output is lost.\n');
      process.exit(1);
    }
  }
  // A command that failed for its own reason keeps its exit code; one that was stopped reports that.
  const stopped = code !== undefined && (ended === 0 || ended === 130);
  process.exit(stopped ? code : ended);
}

function versionOf(): string {
  if (typeof PACKAGE_VERSION !== 'undefined') return PACKAGE_VERSION;
  const described: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return described.version;
}
