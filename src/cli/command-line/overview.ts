import { headings, rows } from '../commands.ts';
import type { Style } from '../terminal/style.ts';
import { wrap } from '../terminal/width.ts';

const columns = 80;
/** Where the second column begins. */
const indent = 16;

/** `fn help`: the most common commands first, the rest in groups. It loads no command. */
export function overview(style: Style): string {
  const lines = [
    'Write, run, test and ship custom functions for a customer-conversation platform.',
    '',
    `${style.bold('Usage')}  fn COMMAND [ARGUMENTS] [FLAGS]`,
  ];
  for (const [heading, title] of Object.entries(headings)) {
    lines.push('', style.bold(title));
    for (const row of rows) {
      if (row.heading !== heading) continue;
      const about = 'verbs' in row ? row.verbs.join(', ') : row.summary;
      const [first = '', ...more] = wrap(about, columns - indent).split('\n');
      lines.push(
        `  ${style.cyan(row.word.padEnd(indent - 2))}${first}`,
        ...more.map((line) => ' '.repeat(indent) + line),
      );
    }
  }
  lines.push(
    '',
    style.bold('Global flags'),
    '  --json        JSON on standard output; errors as JSON on standard error',
    '  --profile P   the workspace to use (see below)',
    '  -C DIR        the app folder; default: this one',
    '  --no-input    never prompt     --debug  show stack traces',
    '',
    style.bold('Which workspace'),
    '  In an app its local one, unless --profile, an FN_ variable or "fn profile use"',
    '  names a real one; deploy, diff, status, versions, rollback and pull always use',
    '  a real one. Outside an app, the profile in use.',
    '',
    `Get started: ${style.cyan('fn init')}, then ${style.cyan('fn dev')}.  Help for a command: ${style.cyan('fn help COMMAND')}.`,
    `The guide: ${style.cyan('fn docs')}.  Operations without a command: ${style.cyan('fn api')}.`,
  );
  return lines.join('\n');
}
