import type { Option } from '../command.ts';
import type { Entry } from '../commands.ts';
import type { Style } from '../terminal/style.ts';
import { wrap } from '../terminal/width.ts';
import { commonOptions, flagNames, nameOf, usageOf } from './usage.ts';

/** Help for one command, like a manual page. */
export function helpOf({ name, summary, command }: Entry, style: Style, columns: number): string {
  const width = Math.min(Math.max(columns, 30), 110);
  const sections: string[] = [
    `${style.bold(`fn ${name}`)} – ${summary}`,
    `${style.bold('Usage')}\n  ${usageOf(name, command)}`,
  ];
  if (command.description) sections.push(paragraphs(command.description, width));

  const given = Object.entries(command.arguments ?? {}).map(([key, spec]): [string, string] => [
    nameOf(key),
    [spec.summary, choicesOf(spec.choices), spec.optional ? '(optional)' : ''].filter(Boolean).join(' '),
  ]);
  if (given.length > 0) sections.push(`${style.bold('Arguments')}\n${list(given, width, style)}`);

  const own = Object.values(command.options ?? {}).filter((option) => !option.hidden);
  if (own.length > 0) sections.push(`${style.bold('Flags')}\n${list(own.map(optionLine), width, style)}`);

  const taken = own.flatMap(flagNames);
  const common = Object.values(commonOptions).filter(
    (option: Option) => !flagNames(option).some((name) => taken.includes(name)),
  );
  sections.push(`${style.bold('Global flags')}\n${list(common.map(optionLine), width, style)}`);

  const variables = Object.entries(command.variables ?? {});
  if (variables.length > 0) sections.push(`${style.bold('Variables')}\n${list(variables, width, style)}`);
  if (command.json) sections.push(`${style.bold('With --json')}\n${indent(wrap(command.json, width - 2), 2)}`);
  if (command.examples && command.examples.length > 0) {
    const lines = command.examples.map(({ line, does }) => `  ${style.dim(`# ${does}`)}\n  ${style.cyan(line)}`);
    sections.push(`${style.bold('Examples')}\n${lines.join('\n\n')}`);
  }
  if (command.see && command.see.length > 0) {
    sections.push(`${style.bold('See also')}\n  ${command.see.map((topic) => `fn docs ${topic}`).join(' · ')}`);
  }
  return sections.join('\n\n');
}

/** `fn help template`: the commands below a word. */
export function helpOfGroup(word: string, entries: readonly Entry[], style: Style): string {
  const widest = Math.max(...entries.map(({ name }) => name.length));
  return [
    `${style.bold(`fn ${word}`)} has these commands:`,
    '',
    ...entries.map(({ name, summary }) => `  ${style.cyan(`fn ${name}`.padEnd(widest + 5))}${summary}`),
    '',
    `Help for one of them: ${style.cyan(`fn help ${entries[0]?.name ?? word}`)}`,
  ].join('\n');
}

function optionLine(option: Option): [string, string] {
  const notes = [
    choicesOf(option.choices),
    option.many ? '(may be repeated)' : '',
    option.variable ? `[${option.variable}]` : '',
  ];
  return [
    option.flag.startsWith('--') ? `    ${option.flag}` : option.flag,
    [option.summary, ...notes].filter(Boolean).join(' '),
  ];
}

const choicesOf = (choices: readonly string[] | undefined): string => (choices ? `(${choices.join(', ')})` : '');

function list(rows: readonly (readonly [string, string])[], width: number, style: Style): string {
  const left = Math.min(30, Math.max(...rows.map(([name]) => name.length)) + 2);
  // On a narrow terminal the description is below the name.
  const isNarrow = width - left < leastText;
  const margin = isNarrow ? 6 : left + 2;
  return rows
    .map(([name, text]) => {
      const lines = wrap(text, width - margin).split('\n');
      const first =
        !isNarrow && name.length + 1 < left
          ? `  ${style.cyan(name)}${' '.repeat(left - name.length)}${lines.shift() ?? ''}`
          : `  ${style.cyan(name)}`;
      return [first, ...lines.map((line) => ' '.repeat(margin) + line)].join('\n');
    })
    .join('\n');
}

/** Minimum columns for a text beside a name. */
const leastText = 24;

function paragraphs(text: string, width: number): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => (/^\s{2,}/.test(part) ? part : wrap(part.replace(/\s+/g, ' '), width)))
    .join('\n\n');
}

const indent = (text: string, by: number): string => text.replace(/^/gm, ' '.repeat(by));
