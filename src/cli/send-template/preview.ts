import type { Output } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import type { Draft } from './message.ts';

type Template = Output<'templates.list'>['items'][number];
type Variables = NonNullable<Draft['body']['variables']>;
type Filling = Variables['body'];

/** A message as the customer would see it, with its problems. The workspace checks more when it is sent. */
export interface Preview {
  readonly lines: readonly string[];
  readonly problems: readonly FieldProblem[];
}

/** Fills a template as the workspace would. */
export function preview(template: Template, draft: Draft): Preview {
  const variables: Variables = draft.body.variables ?? {};
  const problems: FieldProblem[] = [];
  const lines: string[] = [];
  const fileNames = new Map(draft.files.map((file) => [file.placeholder, file.fileName]));

  const header = headerLine(template, variables.header, fileNames, problems);
  if (header !== undefined) lines.push(header, '');
  for (const line of fill(template.body, variables.body, 'variables.body', problems).split('\n')) lines.push(line);
  if (template.footer !== undefined) lines.push('', template.footer);
  for (const [index, button] of (template.buttons ?? []).entries()) {
    const at = variables.buttons?.findIndex((value) => value.index === index) ?? -1;
    const path = `variables.buttons[${at === -1 ? index : at}]`;
    lines.push(buttonLine(button, variables.buttons?.[at]?.value, path, problems));
  }
  for (const [at, { index }] of (variables.buttons ?? []).entries()) {
    if (!template.variables.buttons.some((button) => button.index === index)) {
      problems.push({
        path: `variables.buttons[${at}]`,
        message: `must be left out: the template has no button ${index} with a variable`,
      });
    }
  }
  const cards = template.carousel ?? [];
  const given = variables.carousel ?? [];
  if (cards.length !== given.length) {
    problems.push({
      path: 'variables.carousel',
      message: `does not fit: the template has ${cards.length} cards, but ${given.length} are given`,
    });
  }
  for (const [i, card] of cards.entries()) {
    const values = given[i];
    const media = values?.header?.mediaId;
    lines.push(
      '',
      `Card ${i + 1}: [${card.header.format} ${(media && fileNames.get(media)) ?? media ?? values?.header?.url ?? '?'}]`,
    );
    if (card.body !== undefined) lines.push(fill(card.body, values?.body, `variables.carousel[${i}].body`, problems));
    for (const [index, button] of (card.buttons ?? []).entries()) {
      const value = values?.buttons?.find((one) => one.index === index)?.value;
      lines.push(buttonLine(button, value, `variables.carousel[${i}].buttons[${index}]`, problems));
    }
  }
  return { lines, problems };
}

const variable = /\{\{\s*(\w+)\s*\}\}/g;

function fill(text: string, values: Filling, path: string, problems: FieldProblem[]): string {
  const names = new Set([...text.matchAll(variable)].map((match) => match[1] ?? ''));
  const given = new Map<string, string>(
    Array.isArray(values) ? values.map((value, i) => [String(i + 1), value]) : Object.entries(values ?? {}),
  );
  const at = (name: string) => (/^\d+$/.test(name) ? `${path}[${Number(name) - 1}]` : `${path}.${name}`);
  for (const name of names) {
    const value = given.get(name);
    if (value === undefined)
      problems.push({ path: at(name), message: `is missing: the template needs a value for {{${name}}}` });
    else if (value.trim() === '') problems.push({ path: at(name), message: `is empty: the value of {{${name}}}` });
  }
  for (const name of given.keys()) {
    if (!names.has(name))
      problems.push({ path: at(name), message: `must be left out: the template has no variable {{${name}}}` });
  }
  return text.replace(variable, (whole, name: string) => given.get(name) ?? whole);
}

function headerLine(
  template: Template,
  given: Variables['header'],
  fileNames: ReadonlyMap<string, string>,
  problems: FieldProblem[],
): string | undefined {
  const { header } = template;
  const path = 'variables.header';
  if (header === undefined) {
    if (given !== undefined) problems.push({ path, message: 'must be left out: the template has no header' });
    return undefined;
  }
  if (header.format === 'text') {
    if (typeof given === 'object') {
      problems.push({ path, message: mustBe('text', given) });
      return header.text;
    }
    return fill(header.text, given === undefined ? [] : [given], path, problems);
  }
  if (header.format === 'location') {
    if (typeof given === 'object' && 'latitude' in given) return `[location ${given.latitude},${given.longitude}]`;
    problems.push({ path, message: mustBe('location', given) });
    return '[location ?]';
  }
  if (typeof given === 'object' && ('mediaId' in given || 'url' in given)) {
    const what = given.mediaId === undefined ? given.url : (fileNames.get(given.mediaId) ?? given.mediaId);
    return `[${header.format} ${what}]`;
  }
  problems.push({ path, message: mustBe(header.format, given) });
  return `[${header.format} ?]`;
}

function mustBe(format: string, given: Variables['header']): string {
  const what = `the header of the template needs ${format === 'image' ? 'an' : 'a'} ${format}`;
  return given === undefined ? `is missing: ${what}` : `does not fit: ${what}`;
}

type Button = NonNullable<Template['buttons']>[number];

function buttonLine(button: Button, value: string | undefined, path: string, problems: FieldProblem[]): string {
  if (button.type === 'url') {
    const url = /\{\{/.test(button.url)
      ? fill(button.url, value === undefined ? [] : [value], path, problems)
      : button.url;
    return `( ${button.text} → ${url} )`;
  }
  if (button.type === 'copy_code') {
    if (value === undefined) problems.push({ path, message: 'is missing: the code to copy' });
    return `( ${button.text}: ${value ?? '?'} )`;
  }
  return button.type === 'phone' ? `( ${button.text} ☎ ${button.phone} )` : `( ${button.text} )`;
}
