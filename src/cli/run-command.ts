import type { ExitCode } from '../std/index.ts';
import type { Asked } from './command-line/table-command.ts';
import { reportFailure } from './failures/report-failure.ts';
import type { Host } from './host.ts';
import type { Notices } from './io.ts';
import { openContext } from './open-context.ts';

/** Runs a parsed command, and reports errors. Never throws. */
export async function runCommand(
  { entry, args, flags, folder }: Extract<Asked, { kind: 'run' }>,
  argv: readonly string[],
  host: Host,
): Promise<ExitCode> {
  let notices: Notices | undefined;
  try {
    const opened = openContext(host, flags, folder);
    notices = opened.notices;
    let exitCode: ExitCode;
    try {
      exitCode = (await entry.command.run(opened.context, args as never)) ?? 0;
    } catch (error) {
      throw await opened.explained(error);
    } finally {
      await opened.end();
    }
    for (const line of notices.take()) host.err.write(`${line}\n`);
    return exitCode;
  } catch (thrown) {
    return reportFailure(thrown, argv, entry.name, host, notices);
  }
}
