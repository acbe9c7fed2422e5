import type { ExitCode } from '../std/index.ts';
import type { AnyCommand } from './command.ts';
import type { Parsed } from './command-line/parse.ts';
import { reportFailure } from './failures/report-failure.ts';
import type { Host } from './host.ts';
import type { Notices } from './io.ts';

/** Runs a parsed command, and reports errors. Never throws. @param name the words after `fn` */
export async function runCommand(
  command: AnyCommand,
  { args, flags, folder }: Parsed,
  argv: readonly string[],
  name: string,
  host: Host,
): Promise<ExitCode> {
  let notices: Notices | undefined;
  try {
    const { openContext } = await import('./open-context.ts');
    const opened = openContext(host, flags, folder);
    notices = opened.notices;
    let exitCode: ExitCode;
    try {
      exitCode = (await command.run(opened.context, args as never)) ?? 0;
    } catch (error) {
      throw await opened.explained(error);
    } finally {
      await opened.end();
    }
    for (const line of notices.take()) host.err.write(`${line}\n`);
    return exitCode;
  } catch (thrown) {
    return reportFailure(thrown, argv, name, host, notices);
  }
}
