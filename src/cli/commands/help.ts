import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { nextWords } from '../command-line/command-words.ts';
import { helpOf, helpOfGroup } from '../command-line/help.ts';
import { overview } from '../command-line/overview.ts';
import { parseLine } from '../command-line/program.ts';
import { allCommands, commandsOf, type Entry } from '../commands.ts';

export const command = defineCommand({
  description:
    'Without a command, lists all commands. With one, shows its arguments, flags, examples, and what --json prints. "fn COMMAND --help" does the same.',
  arguments: { command: { summary: 'The command, for example: template send', optional: true, many: true } },
  examples: [
    { line: 'fn help', does: 'shows all commands', runs: true },
    { line: 'fn help template', does: 'shows the commands about message templates', runs: true },
    { line: 'fn help invoke', does: 'shows the details of one command', runs: true },
  ],
  json: 'Without a command: {commands: [{name, group, summary}]}. With one: {name, summary, description, arguments, flags, examples}.',
  complete: { command: async (_, { given }) => nextWords(given) },
  async run({ io, env }, { command: words }) {
    if (words.length === 0) {
      io.result(io.json ? { commands: (await allCommands()).map(rowOf) } : undefined, () => overview(io.style));
      return;
    }
    const asked = await parseLine([...wordsOf(words), '--help'], env);
    if (asked.kind === 'group help') {
      const entries = await commandsOf(asked.row);
      io.result({ commands: entries.map(rowOf) }, () => helpOfGroup(asked.row.word, entries, io.style));
      return;
    }
    if (asked.kind !== 'command help') return;
    const { entry } = asked;
    const surplus = wordsOf(words)[entry.name.split(' ').length];
    if (surplus !== undefined)
      throw new UsageError('command_unknown', `fn ${entry.name} has no command "${surplus.slice(0, 60)}"`, {
        hint: `See: fn help ${entry.name}`,
      });
    const { description, arguments: given = {}, options = {}, examples = [], json } = entry.command;
    io.result(
      {
        name: entry.name,
        summary: entry.summary,
        description,
        arguments: Object.entries(given).map(([name, spec]) => ({ name, ...spec })),
        flags: Object.values(options).filter((option) => !option.hidden),
        json,
        examples,
      },
      () => helpOf(entry, io.style, io.columns),
    );
  },
});

const rowOf = ({ name, heading, summary }: Entry) => ({ name, group: heading, summary });

/** `send-template` is a program of its own, and the same as `fn template send`. */
function wordsOf(asked: readonly string[]): readonly string[] {
  return asked.length === 1 && asked[0] === 'send-template' ? ['template', 'send'] : asked;
}
