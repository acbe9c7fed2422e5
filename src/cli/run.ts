import type { ExitCode } from '../std/index.ts';
import { reportFailure } from './failures/report-failure.ts';
import type { Host } from './host.ts';
import { runCommand } from './run-command.ts';
import { coloursOf, styleFor } from './terminal/style.ts';

/**
 * Runs a command line: finds the command, parses, runs, reports. Never throws and never ends the process.
 * @param argv the words after `fn`
 */
export async function runFn(argv: readonly string[], host: Host): Promise<ExitCode> {
  const spoken = argv.filter((token) => /^[a-z][a-z-]*$/.test(token)).slice(0, 2);
  let command = spoken.join(' ');
  try {
    if (asksForOverview(argv)) return await printOverview(host);
    if (asksForVersion(argv)) {
      const { version } = host;
      host.out.write(`${argv.includes('--json') ? JSON.stringify({ version }) : version}\n`);
      return 0;
    }
    if (argv[0] === '__complete') return await printCandidates(argv.slice(1), host);
    const [{ below, findCommand, groupAskedFor, wordsOf }, { parseLight }] = await Promise.all([
      import('./command-line/find-command.ts'),
      import('./command-line/light-parse.ts'),
    ]);
    const group = groupAskedFor(argv);
    if (group !== undefined) {
      const { helpOfGroup } = await import('./command-line/help.ts');
      host.out.write(`${helpOfGroup(group.word, group.entries, styleFor(coloursOf(host.env, host.out.isTerminal)))}\n`);
      return 0;
    }
    const { entry, rest } = findCommand(helpAsFlag(argv, wordsOf, below));
    command = entry.name;
    const loaded = await entry.load();
    if (rest.some((token, i) => isHelp(token) && !rest.slice(0, i).includes('--'))) {
      const { helpOf } = await import('./command-line/help.ts');
      const style = styleFor(coloursOf(host.env, host.out.isTerminal));
      host.out.write(`${helpOf(entry, loaded, style, host.out.columns)}\n`);
      return 0;
    }
    // Valid lines are parsed at once; the real parser, which takes longer to load than most commands to run, explains the rest.
    const parsed =
      parseLight(loaded, rest, host.env) ??
      (await import('./command-line/parse.ts')).parse(entry.name, loaded, rest, host.env);
    return await runCommand(loaded, parsed, argv, command, host);
  } catch (thrown) {
    return reportFailure(thrown, argv, command, host);
  }
}

const isHelp = (token: string): boolean => token === '--help' || token === '-h';

/** Handles `fn help invoke` like `fn invoke --help`, without the parser. */
function helpAsFlag(
  argv: readonly string[],
  wordsOf: (asked: readonly string[]) => readonly string[],
  below: (word: string) => readonly unknown[],
): readonly string[] {
  const [first, ...words] = argv;
  const plain = first === 'help' && words.length > 0 && words.every((word) => /^[a-z][a-z-]*$/.test(word));
  // Additional words are refused by the command "help".
  const most = below(words[0] ?? '').length > 0 ? 2 : 1;
  return plain && words[0] !== 'help' && words.length <= most ? [...wordsOf(words), '--help'] : argv;
}

function asksForOverview(argv: readonly string[]): boolean {
  return argv.length === 0 || (argv.length === 1 && (isHelp(argv[0] ?? '') || argv[0] === 'help'));
}

function asksForVersion(argv: readonly string[]): boolean {
  const words = argv[0] === 'version' ? ['--version', ...argv.slice(1)] : argv;
  return words.some(isVersion) && words.every((token) => isVersion(token) || token === '--json');
}

const isVersion = (token: string): boolean => ['--version', '-V', '-v'].includes(token);

async function printOverview(host: Host): Promise<ExitCode> {
  const { overview } = await import('./command-line/overview.ts');
  host.out.write(`${overview(styleFor(coloursOf(host.env, host.out.isTerminal)))}\n`);
  return 0;
}

/**
 * Prints candidates for the shell, one per line, and returns 0. With 1 the shell completes files itself. Completion must never show
 * an error.
 */
async function printCandidates(words: readonly string[], host: Host): Promise<ExitCode> {
  const [{ complete }, { openContext }, { sanitise }] = await Promise.all([
    import('./command-line/complete.ts'),
    import('./open-context.ts'),
    import('./terminal/sanitise.ts'),
  ]);
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
