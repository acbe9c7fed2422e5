import { resolve } from 'node:path';
import { chooseAccess } from '../project/access.ts';
import type { Environment, ExitCode } from '../std/index.ts';
import { parseLine } from './command-line/program.ts';
import type { Host } from './host.ts';
import { runCommand } from './run-command.ts';
import { loadColours } from './terminal/style.ts';

/** One-line commands by name, and their flags that need more than one request. */
const oneLiners: Readonly<Record<string, readonly string[]>> = {
  'template send': ['dryRun', 'fromCsv'],
  link: ['qr'],
};

/**
 * Plans a command line that is a single request to a remote workspace. Everything else, including any error before the request, is left to
 * the full command line, which explains it.
 */
export async function planOneLiner(
  argv: readonly string[],
  env: Environment,
): Promise<((host: Host) => Promise<ExitCode>) | undefined> {
  try {
    const asked = await parseLine(argv, env);
    if (asked.kind !== 'run') return undefined;
    const needMore = oneLiners[asked.entry.name];
    if (needMore?.some((key) => asked.args[key] !== undefined && asked.args[key] !== false) ?? true) return undefined;
    const access = chooseAccess({ env, profile: asked.flags.profile, folder: resolve(asked.folder ?? '') });
    if (access === undefined) return undefined;
    return async (host) => {
      await loadColours(host);
      // The command reads the logins again, but a file that was open to others is closed by then.
      for (const warning of access.warnings) host.err.write(`${warning}\n`);
      return await runCommand(asked, argv, host);
    };
  } catch {
    return undefined;
  }
}
