import type { ExitCode } from '../std/index.ts';
import { parseLine } from './command-line/program.ts';
import type { Asked } from './command-line/table-command.ts';
import { commandsOf } from './commands.ts';
import { reportFailure } from './failures/report-failure.ts';
import type { Host } from './host.ts';
import { openContext } from './open-context.ts';
import { runCommand } from './run-command.ts';
import { sanitise } from './terminal/sanitise.ts';
import { coloursOf, loadColours, styleFor } from './terminal/style.ts';

/**
 * Runs a command line: parses, runs, reports. Never throws and never ends the process.
 * @param argv the words after `fn`
 */
export async function runFn(argv: readonly string[], host: Host): Promise<ExitCode> {
  if (argv[0] === '__complete') return await printCandidates(argv.slice(1), host);
  const spoken = argv.filter((token) => /^[a-z][a-z-]*$/.test(token)).slice(0, 2);
  try {
    await loadColours(host);
    const asked = await parseLine(argv, host.env);
    if (asked.kind === 'run') return await runCommand(asked, argv, host);
    host.out.write(`${await answerTo(asked, host)}\n`);
    return 0;
  } catch (thrown) {
    return reportFailure(thrown, argv, spoken.join(' '), host);
  }
}

async function answerTo(asked: Exclude<Asked, { kind: 'run' }>, { version, env, out }: Host): Promise<string> {
  if (asked.kind === 'version') return asked.json ? JSON.stringify({ version }) : version;
  const style = styleFor(coloursOf(env, out.isTerminal));
  if (asked.kind === 'overview') return (await import('./command-line/overview.ts')).overview(style);
  const { helpOf, helpOfGroup } = await import('./command-line/help.ts');
  if (asked.kind === 'command help') return helpOf(asked.entry, style, out.columns);
  return helpOfGroup(asked.row.word, await commandsOf(asked.row), style);
}

/**
 * Prints candidates for the shell, one per line, and returns 0. With 1 the shell completes files itself. Completion must never show
 * an error.
 */
async function printCandidates(words: readonly string[], host: Host): Promise<ExitCode> {
  const { complete } = await import('./command-line/complete.ts');
  // Names from files or a seed may contain anything: skip what cannot be typed, or would look like another candidate.
  const fitsLine = (text: string) => !/[\t\n]/.test(text) && sanitise(text) === text;
  const flags = { json: false, input: false, debug: false, profile: undefined };
  let end = async () => {};
  try {
    const opened = openContext(host, flags, folderOf(words, host));
    end = opened.end;
    const found = await complete(words, opened.context);
    if (found === 'files') return 1;
    for (const { text, about } of found)
      if (fitsLine(text)) opened.context.io.out(about === '' ? text : `${text}\t${about}`);
    return 0;
  } catch {
    return 1;
  } finally {
    await end();
  }
}

/** The folder of `-C`, which the shell has not expanded yet. */
function folderOf(words: readonly string[], host: Host): string | undefined {
  for (const [i, word] of words.slice(0, -1).entries()) {
    const folder = word === '-C' || word === '--app' ? words.slice(0, -1)[i + 1] : /^--app=(.*)$/s.exec(word)?.[1];
    if (folder !== undefined) return folder.replace(/^~(?=\/|$)/, host.env['HOME'] ?? '~');
  }
  return undefined;
}
