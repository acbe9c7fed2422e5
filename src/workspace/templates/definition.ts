import type { Output } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';

export type Template = Output<'messageTemplates.list'>['items'][number];
/** A template as its author wrote it. */
export type TemplateDefinition = Omit<Template, 'id' | 'variables' | 'createdAt' | 'updatedAt'>;
export type TemplateButton = NonNullable<Template['buttons']>[number];
export type TemplateCard = NonNullable<Template['carousel']>[number];

/** `{{1}}` or `{{first_name}}`. */
const placeholder = /\{\{ *([A-Za-z_][A-Za-z0-9_]*|[1-9][0-9]?) *\}\}/g;

/** The variable names in a text, in order, without duplicates. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map((match) => match[1] ?? ''))];
}

/** Replaces variables by values. Values are not interpreted: one that looks like a variable stays text. */
export function filled(text: string, value: (name: string) => string): string {
  return text.replace(placeholder, (_all, name: string) => value(name));
}

/** Variables a caller must give, by place. */
export function variablesOf(definition: TemplateDefinition): Template['variables'] {
  const body = bodyNames(definition.body);
  const header = definition.header?.format === 'text' ? placeholdersOf(definition.header.text) : [];
  return {
    style: styleOf(definition),
    body,
    header,
    buttons: valueButtons(definition.buttons),
    cards: definition.carousel?.length ?? 0,
  };
}

/** Names of a body's variables: positional ones by number, named ones in order of appearance. */
export function bodyNames(body: string): string[] {
  const names = placeholdersOf(body);
  return names.every(isPosition) ? names.sort((a, b) => Number(a) - Number(b)) : names;
}

/** Buttons that take a value: an address that ends in a variable, a code to copy. */
export function valueButtons(buttons: readonly TemplateButton[] | undefined): { index: number; type: string }[] {
  return (buttons ?? []).flatMap((button, index) => (takesValue(button) ? [{ index, type: button.type }] : []));
}

export function takesValue(button: TemplateButton): boolean {
  return button.type === 'copy_code' || (button.type === 'url' && placeholdersOf(button.url).length > 0);
}

function styleOf(definition: TemplateDefinition): Template['variables']['style'] {
  const texts = [definition.body, ...(definition.carousel ?? []).map((card) => card.body ?? '')];
  const names = texts.flatMap(placeholdersOf);
  if (names.length === 0) return 'none';
  return names.every(isPosition) ? 'positional' : 'named';
}

const isPosition = (name: string) => /^\d+$/.test(name);

/** Problems of a template itself, each with its path. Shapes and lengths have been checked before. */
export function definitionProblems(definition: TemplateDefinition): FieldProblem[] {
  return [
    ...textProblems(definition.body, 'body'),
    ...headerProblems(definition),
    ...(definition.footer === undefined ? [] : footerProblems(definition.footer)),
    ...buttonsProblems(definition.buttons, 'buttons'),
    ...carouselProblems(definition.carousel),
  ];
}

function textProblems(text: string, path: string): FieldProblem[] {
  const names = placeholdersOf(text);
  const rest = text.replace(placeholder, '');
  if (rest.includes('{{') || rest.includes('}}')) {
    return [{ path, message: 'has braces that are not a variable: write {{1}} or {{name}}' }];
  }
  const positions = names.filter(isPosition).map(Number);
  if (positions.length > 0 && positions.length < names.length) {
    return [{ path, message: 'mixes positional and named variables' }];
  }
  if (positions.length > 0 && Math.max(...positions) !== positions.length) {
    return [{ path, message: `has positional variables with a gap: ${positions.join(', ')}` }];
  }
  return [];
}

function headerProblems({ header }: TemplateDefinition): FieldProblem[] {
  if (header?.format !== 'text') return [];
  const problems = textProblems(header.text, 'header.text');
  if (placeholdersOf(header.text).length > 1)
    problems.push({ path: 'header.text', message: 'has more than one variable' });
  return problems;
}

function footerProblems(footer: string): FieldProblem[] {
  return placeholdersOf(footer).length === 0 ? [] : [{ path: 'footer', message: 'takes no variables' }];
}

function buttonsProblems(buttons: readonly TemplateButton[] | undefined, path: string): FieldProblem[] {
  return (buttons ?? []).flatMap((button, index) => buttonProblems(button, `${path}[${index}]`));
}

function buttonProblems(button: TemplateButton, path: string): FieldProblem[] {
  if (placeholdersOf(button.text).length > 0) return [{ path: `${path}.text`, message: 'takes no variables' }];
  if (button.type !== 'url') return [];
  const names = placeholdersOf(button.url);
  if (names.length > 1) return [{ path: `${path}.url`, message: 'has more than one variable' }];
  if (names.length === 1 && !/\}\}$/.test(button.url)) {
    return [{ path: `${path}.url`, message: 'has its variable somewhere other than at the end' }];
  }
  const address = filled(button.url, () => '');
  if (!isHttps(address)) return [{ path: `${path}.url`, message: 'is not an https address' }];
  if (names.length === 1 && !/^https:\/\/[^/?#]+[/?#]/.test(address)) {
    return [{ path: `${path}.url`, message: 'lets a variable choose the host' }];
  }
  return [];
}

function carouselProblems(cards: readonly TemplateCard[] | undefined): FieldProblem[] {
  const [first] = cards ?? [];
  return (cards ?? []).flatMap((card, index) => {
    const path = `carousel[${index}]`;
    const problems = [
      ...(card.body === undefined ? [] : textProblems(card.body, `${path}.body`)),
      ...buttonsProblems(card.buttons, `${path}.buttons`),
    ];
    if (first !== undefined && layoutOf(card) !== layoutOf(first)) {
      problems.push({ path, message: 'has other components than the first card' });
    }
    return problems;
  });
}

const layoutOf = (card: TemplateCard) =>
  [card.header.format, card.body === undefined, ...(card.buttons ?? []).map((button) => button.type)].join(' ');

export function isHttps(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.hostname !== '';
}
