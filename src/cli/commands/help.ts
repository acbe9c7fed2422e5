import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { nextWords } from '../command-line/command-words.ts';
import { below, findCommand, wordsOf } from '../command-line/find-command.ts';
import { helpOf, helpOfGroup } from '../command-line/help.ts';
import { overview } from '../command-line/overview.ts';
import { commands } from '../commands.ts';

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
  async run({ io }, { command: words }) {
    if (words.length === 0) {
      io.result({ commands: commands.map(({ name, group, summary }) => ({ name, group, summary })) }, () =>
        overview(io.style),
      );
      return;
    }
    const group = words.length === 1 ? below(words[0] ?? '') : [];
    if (group.length > 0) {
      io.result({ commands: group.map(({ name, group, summary }) => ({ name, group, summary })) }, () =>
        helpOfGroup(words[0] ?? '', group, io.style),
      );
      return;
    }
    const { entry, rest } = findCommand(wordsOf(words));
    if (rest[0] !== undefined)
      throw new UsageError('command_unknown', `fn ${entry.name} has no command "${rest[0].slice(0, 60)}"`, {
        hint: `See: fn help ${entry.name}`,
      });
    const { description, arguments: given = {}, options = {}, examples = [], json } = await entry.load();
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
      () => undefined,
    );
    if (!io.json) io.out(helpOf(entry, await entry.load(), io.style, io.columns));
  },
});
