import { resolve } from 'node:path';
import { chooseAccess } from '../project/access.ts';
import type { Environment, ExitCode } from '../std/index.ts';
import type { AnyCommand } from './command.ts';
import { parseLight } from './command-line/light-parse.ts';
import type { Host } from './host.ts';
import { runCommand } from './run-command.ts';

/** One-line commands by name, with the flags that need more than one request. */
const oneLiners: Readonly<Record<string, { load: () => Promise<AnyCommand>; needMore: readonly string[] }>> = {
  'template send': {
    load: async () => (await import('./commands/send-template.ts')).command,
    needMore: ['dryRun', 'fromCsv'],
  },
  link: { load: async () => (await import('./commands/link.ts')).command, needMore: ['qr'] },
};

/**
 * Plans a command line that is a single request to a remote workspace. Everything else, including any error before the request, is left to
 * the full command line, which explains it.
 */
export async function planOneLiner(
  argv: readonly string[],
  env: Environment,
): Promise<((host: Host) => Promise<ExitCode>) | undefined> {
  const name = argv[0] === 'link' ? 'link' : argv.slice(0, 2).join(' ');
  const found = Object.hasOwn(oneLiners, name) ? oneLiners[name] : undefined;
  if (found === undefined) return undefined;
  const command = await found.load();
  const parsed = parseLight(command, argv.slice(name.split(' ').length), env);
  if (
    parsed === undefined ||
    found.needMore.some((key) => parsed.args[key] !== undefined && parsed.args[key] !== false)
  )
    return undefined;
  let warnings: readonly string[];
  try {
    const access = chooseAccess({ env, profile: parsed.flags.profile, folder: resolve(parsed.folder ?? '') });
    if (access === undefined) return undefined;
    warnings = access.warnings;
  } catch {
    return undefined;
  }
  return (host) => {
    // The command reads the logins again, but a file that was open to others is closed by then.
    for (const warning of warnings) host.err.write(`${warning}\n`);
    return runCommand(command, parsed, argv, name, host);
  };
}
