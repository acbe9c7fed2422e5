import type { ParsedInput } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import {
  bodyNames,
  filled,
  isHttps,
  placeholdersOf,
  type TemplateButton,
  type TemplateDefinition,
  valueButtons,
} from './definition.ts';

export type Variables = NonNullable<ParsedInput<'messages.sendTemplate'>['variables']>;
type BodyValues = Variables['body'];
type ButtonValues = Variables['buttons'];
type MediaFormat = 'image' | 'video' | 'document';
type MediaValue = Exclude<Variables['header'], string | undefined | { latitude: number }>;

/** A problem of a variable, and whether it is missing altogether. */
export interface VariableProblem extends FieldProblem {
  readonly missing: boolean;
}

/** Says why uploaded media cannot stand in a header, or nothing. */
export type MediaCheck = (mediaId: string, format: MediaFormat) => string | undefined;

/** Maximum length of a component with its variables filled in, in characters. */
const longest = { header: 60, body: 1024, card: 160, url: 2000, code: 20 };

/** Checks variables against a template: one problem for each variable that is missing, unknown, empty, too long or wrong. */
export function variableProblems(
  definition: TemplateDefinition,
  variables: Variables,
  mediaCheck: MediaCheck,
): VariableProblem[] {
  return [
    ...headerProblems(definition, variables.header, mediaCheck),
    ...bodyProblems(definition.body, variables.body, 'variables.body', longest.body),
    ...buttonProblems(definition.buttons, variables.buttons, 'variables.buttons'),
    ...carouselProblems(definition, variables.carousel, mediaCheck),
  ];
}

const missing = (path: string, message: string): VariableProblem => ({ path, message, missing: true });
const wrong = (path: string, message: string): VariableProblem => ({ path, message, missing: false });

function headerProblems(
  { header }: TemplateDefinition,
  given: Variables['header'],
  mediaCheck: MediaCheck,
): VariableProblem[] {
  const path = 'variables.header';
  if (header === undefined)
    return given === undefined ? [] : [wrong(path, 'must be left out: the template has no header')];
  if (header.format === 'text') return textHeaderProblems(header.text, given, path);
  if (header.format === 'location') {
    if (given === undefined) return [missing(path, `is missing: ${headerNeeds('location')}`)];
    return typeof given === 'object' && 'latitude' in given
      ? []
      : [wrong(path, `does not fit: ${headerNeeds('location')} ({latitude, longitude})`)];
  }
  if (given === undefined) return [missing(path, `is missing: ${headerNeeds(header.format)}`)];
  if (typeof given === 'string' || 'latitude' in given) {
    return [wrong(path, `does not fit: ${headerNeeds(header.format)} ({mediaId} or {url})`)];
  }
  return mediaProblems(given, header.format, path, mediaCheck);
}

function textHeaderProblems(text: string, given: Variables['header'], path: string): VariableProblem[] {
  const [name] = placeholdersOf(text);
  if (name === undefined)
    return given === undefined ? [] : [wrong(path, 'must be left out: the header of the template has no variable')];
  if (given === undefined) return [missing(path, `is missing: ${headerNeeds('text')}`)];
  if (typeof given !== 'string') return [wrong(path, `does not fit: ${headerNeeds('text')}`)];
  if (given.trim() === '') return [wrong(path, 'is empty')];
  const length = lengthOf(filled(text, () => given));
  return length > longest.header ? [wrong(path, overLong('header', length, longest.header))] : [];
}

function mediaProblems(
  { mediaId, url }: MediaValue,
  format: MediaFormat,
  path: string,
  mediaCheck: MediaCheck,
): VariableProblem[] {
  if ((mediaId === undefined) === (url === undefined)) return [wrong(path, 'must have either mediaId or url')];
  if (url !== undefined) return isHttps(url) ? [] : [wrong(`${path}.url`, 'is not an https address')];
  const reason = mediaCheck(mediaId ?? '', format);
  return reason === undefined ? [] : [wrong(`${path}.mediaId`, reason)];
}

function bodyProblems(text: string, given: BodyValues, path: string, most: number): VariableProblem[] {
  const names = bodyNames(text);
  const positional = names.every((name) => /^\d+$/.test(name));
  if (Array.isArray(given) && given.length > 0 && !positional) {
    return [wrong(path, `must be an object: the variables are named ${names.join(', ')}`)];
  }
  const values = valuesOf(given);
  const pathOf = (name: string) =>
    positional && (given === undefined || Array.isArray(given)) ? `${path}[${Number(name) - 1}]` : `${path}.${name}`;
  const problems = names.flatMap((name) => {
    const value = values.get(name);
    if (value === undefined) return [missing(pathOf(name), `is missing: the template needs a value for {{${name}}}`)];
    return value.trim() === '' ? [wrong(pathOf(name), `is empty: the value of {{${name}}}`)] : [];
  });
  for (const name of values.keys()) {
    if (!names.includes(name))
      problems.push(wrong(pathOf(name), `must be left out: the template has no variable {{${name}}}`));
  }
  const length = lengthOf(filled(text, (name) => values.get(name) ?? ''));
  if (length <= most) return problems;
  const longestName = names.reduce((a, b) => (lengthOf(values.get(b) ?? '') > lengthOf(values.get(a) ?? '') ? b : a));
  return [...problems, wrong(pathOf(longestName), overLong('body', length, most))];
}

/** Values of a body by name; list entries are named 1, 2, … */
export function valuesOf(given: BodyValues): Map<string, string> {
  if (given === undefined) return new Map();
  if (Array.isArray(given)) return new Map(given.map((value, index) => [String(index + 1), value]));
  return new Map(Object.entries(given));
}

function buttonProblems(
  buttons: readonly TemplateButton[] | undefined,
  given: ButtonValues,
  path: string,
): VariableProblem[] {
  const needed = valueButtons(buttons);
  const problems: VariableProblem[] = [];
  const seen = new Set<number>();
  for (const [at, { index, value }] of (given ?? []).entries()) {
    const button = buttons?.[index];
    if (seen.has(index)) problems.push(wrong(`${path}[${at}].index`, `is given twice: button ${index}`));
    else if (button === undefined)
      problems.push(wrong(`${path}[${at}].index`, `must be left out: the template has no button ${index}`));
    else if (!needed.some((need) => need.index === index)) {
      problems.push(
        wrong(`${path}[${at}].index`, `must be left out: button ${index} (${button.type}) has no variable`),
      );
    } else problems.push(...buttonValueProblems(button, value, `${path}[${at}].value`));
    seen.add(index);
  }
  for (const [at, { index, type }] of needed.entries()) {
    if (!seen.has(index))
      problems.push(missing(`${path}[${at}].value`, `is missing: the value of button ${index} (${type})`));
  }
  return problems;
}

function buttonValueProblems(button: TemplateButton, value: string, path: string): VariableProblem[] {
  if (value.trim() === '') return [wrong(path, 'is empty')];
  if (button.type === 'copy_code') {
    return lengthOf(value) > longest.code ? [wrong(path, overLong('code', lengthOf(value), longest.code))] : [];
  }
  const address = button.type === 'url' ? filledUrl(button.url, value) : '';
  if (address.length > longest.url) return [wrong(path, overLong('address', address.length, longest.url))];
  return isHttps(address) ? [] : [wrong(path, 'makes an address that is not valid')];
}

/** Fills the variable at the end of an address, escaped where necessary. */
export function filledUrl(url: string, value: string): string {
  return filled(url, () => encodeURI(value.trim().toWellFormed()));
}

function carouselProblems(
  { carousel }: TemplateDefinition,
  given: Variables['carousel'],
  mediaCheck: MediaCheck,
): VariableProblem[] {
  const path = 'variables.carousel';
  if (carousel === undefined)
    return given === undefined ? [] : [wrong(path, 'must be left out: the template has no carousel')];
  if (given === undefined)
    return [missing(path, `is missing: the carousel of the template has ${carousel.length} cards`)];
  const problems = given.slice(carousel.length).map((_card, over) => {
    const index = carousel.length + over;
    return wrong(`${path}[${index}]`, `must be left out: the carousel of the template has ${carousel.length} cards`);
  });
  for (const [index, card] of carousel.entries()) {
    const at = `${path}[${index}]`;
    const values = given[index];
    if (values === undefined)
      problems.push(missing(at, `is missing: the carousel of the template has ${carousel.length} cards`));
    else {
      if (values.header === undefined)
        problems.push(missing(`${at}.header`, `is missing: the card needs ${withArticle(card.header.format)}`));
      else problems.push(...mediaProblems(values.header, card.header.format, `${at}.header`, mediaCheck));
      problems.push(...bodyProblems(card.body ?? '', values.body, `${at}.body`, longest.card));
      problems.push(...buttonProblems(card.buttons, values.buttons, `${at}.buttons`));
    }
  }
  return problems;
}

const headerNeeds = (format: MediaFormat | 'location' | 'text') =>
  `the header of the template needs ${withArticle(format)}`;
const withArticle = (format: string) => `${format === 'image' ? 'an' : 'a'} ${format}`;
const lengthOf = (text: string) => [...text].length;
const overLong = (what: string, length: number, most: number) =>
  `is too long: the ${what} would have ${length} characters; ${most} are the most`;
