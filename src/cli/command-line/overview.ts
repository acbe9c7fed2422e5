import { commands, type Group, groups } from '../commands.ts';
import type { Style } from '../terminal/style.ts';

/** `fn help`: the most common commands first, the rest in groups. Must not import anything heavy, since it runs before the parser is loaded. */
export function overview(style: Style): string {
  const lines = [
    'Write, run, test and ship custom functions for a customer-conversation platform.',
    '',
    `${style.bold('Usage')}  fn COMMAND [ARGUMENTS] [FLAGS]`,
  ];
  for (const group of Object.keys(groups) as Group[]) {
    lines.push('', style.bold(groups[group]));
    for (const [name, summary] of group === 'daily' ? single(group) : grouped(group)) {
      lines.push(`  ${style.cyan(name.padEnd(14))}${summary}`);
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

function single(group: Group): [string, string][] {
  return commands.filter((entry) => entry.group === group).map(({ name, summary }) => [name, summary]);
}

/** Two-word commands share a line: `pack  list, add, use, history`. */
function grouped(group: Group): [string, string][] {
  const lines = new Map<string, { verbs: string[]; summary: string }>();
  for (const { name, summary, group: own } of commands) {
    if (own !== group) continue;
    const [noun = name, verb] = name.split(' ');
    const line = lines.get(noun) ?? { verbs: [], summary };
    if (verb) line.verbs.push(verb);
    lines.set(noun, line);
  }
  return [...lines].map(([noun, { verbs, summary }]) => [noun, verbs.length > 0 ? verbs.join(', ') : summary]);
}
