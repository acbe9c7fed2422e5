import { templateExample } from '../../contract/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { approvedTemplates, type Template, templateToSend } from '../values/approved-templates.ts';
import { command as send } from './send-template.ts';

const see = ['templates'] as const;

const list = defineCommand({
  description: 'Lists the approved message templates of the workspace.',
  options: { lang: { flag: '-l, --lang <language>', summary: 'Only templates in this language' } },
  examples: [{ line: 'fn template list', does: 'lists them', runs: true }],
  json: '{items: [{id, name, language, category, status, header?, body, footer?, buttons?, carousel?, variables, …}]}',
  see,
  complete: { lang: 'languages' },
  async run(context, { lang }) {
    const { io } = context;
    const items = await approvedTemplates(await asking(context), lang === undefined ? {} : { language: lang });
    const none = `There is no approved template${lang === undefined ? '' : ` in the language ${lang}`}.`;
    io.results({ items }, none, () => {
      const rows = items.map((one) => [
        one.name,
        one.language,
        one.category,
        variablesText(one),
        one.body.replace(/\s+/g, ' '),
      ]);
      return listing(io, [['NAME', 'LANG', 'CATEGORY', 'VARIABLES', 'BODY'], ...rows], [3, 4]);
    });
  },
});

const show = defineCommand({
  description:
    'Shows a message template with its variables. --example prints a request body to fill in and send: fn template show NAME --example --json > body.json; send-template --data @body.json.',
  arguments: { name: { summary: 'Name of the template' } },
  options: {
    lang: { flag: '-l, --lang <language>', summary: 'Language; default: the one that a send uses' },
    example: { flag: '--example', summary: 'Print an example request body' },
  },
  examples: [
    { line: 'fn template show order_shipped', does: 'shows it', runs: true },
    { line: 'fn template show order_shipped --example --json', does: 'prints a body to start from', runs: true },
  ],
  json: 'The template; with --example: {to, template, language, variables}, which templates.send accepts',
  see,
  complete: { name: 'templates', lang: 'languages' },
  async run(context, { name, lang, example }) {
    const { io } = context;
    const { template, languages } = await templateToSend(await asking(context), { name, language: lang });
    if (example) {
      const body = templateExample(template);
      io.result(body, () => `${JSON.stringify(body, null, 2)}`);
      return;
    }
    io.result(template, () => templateText(template, languages));
  },
});

const upload = defineCommand({
  description:
    'Uploads media for the header of a template and prints its id, for use in several sends: --header med_…. For a single send, --header @FILE uploads it for you.',
  arguments: { file: { summary: 'Image, video or document' } },
  examples: [
    {
      line: 'fn template send new_season --to +4930901820 --body Ann --header "$(fn template upload photo.jpg)"',
      does: 'uploads it and sends it',
    },
  ],
  json: '{mediaId, fileName, contentType, bytes}',
  see,
  async run(context, { file: path }) {
    const { mediaFile, uploadMedia } = await import('../send-template/media.ts');
    const file = mediaFile(path, context.cwd);
    const mediaId = await uploadMedia(context, await context.target(), file);
    const { fileName, contentType, bytes } = file;
    context.io.result({ mediaId, fileName, contentType, bytes }, () => inLine(mediaId));
  },
});

const asking = async (context: Context) => ({ door: await context.door(), signal: context.signal });

/** What a send has to give: media and cards as well, not only texts. */
function variablesText(template: Template): string {
  const { header, carousel = [], variables } = template;
  const { header: inHeader, carousel: cards = [], ...rest } = templateExample(template).variables ?? {};
  const named = variables.style === 'named' ? variables.body : undefined;
  const [card] = cards;
  const ofCard = card && [`${carousel[0]?.header.format}`, ...countedTexts(card)].join(', ');
  const parts = [
    ...(inHeader === undefined ? [] : [header?.format === 'text' ? 'header' : `${header?.format} header`]),
    ...countedTexts(rest, named),
    ...(card === undefined ? [] : [`${cards.length} cards (each: ${ofCard})`]),
  ];
  return parts.join(', ') || '–';
}

type Example = Pick<NonNullable<ReturnType<typeof templateExample>['variables']>, 'body' | 'buttons'>;

function countedTexts({ body = [], buttons = [] }: Example, named?: readonly string[]): string[] {
  const count = Object.keys(body).length;
  return [
    ...(count === 0 ? [] : [named?.join(' ') ?? `${count} in body`]),
    ...(buttons.length === 0 ? [] : [`${buttons.length} in buttons`]),
  ];
}

function templateText(template: Template, languages: readonly string[]): string {
  const { name, language, category, header, body, footer, buttons = [], carousel = [] } = template;
  const lines = [
    `${name} (${language}, ${category})${languages.length > 1 ? `; also in ${languages.filter((one) => one !== language).join(', ')}` : ''}`,
    '',
  ];
  if (header !== undefined) lines.push(header.format === 'text' ? `  ${header.text}` : `  [${header.format}]`, '');
  lines.push(`  ${body.replaceAll('\n', '\n  ')}`);
  if (footer !== undefined) lines.push('', `  ${footer}`);
  lines.push(...buttons.map(buttonText));
  for (const [i, card] of carousel.entries()) {
    lines.push(`  card ${i + 1}: [${card.header.format}] ${card.body ?? ''}`.trimEnd());
    lines.push(...(card.buttons ?? []).map((button, at) => `  ${buttonText(button, at)}`));
  }
  lines.push('', `Variables: ${variablesText(template)}`);
  return lines.join('\n');
}

type Button = NonNullable<Template['buttons']>[number];

function buttonText(button: Button, index: number): string {
  return `  (${index}: ${button.text}${button.type === 'url' ? ` → ${button.url}` : ''})`;
}

/** `fn template …` */
export const commands = {
  send: { summary: 'Send an approved message template', command: send },
  list: { summary: 'List the approved message templates', command: list },
  show: { summary: 'Show a message template, or an example body for it', command: show },
  upload: { summary: 'Upload media for a template header', command: upload },
};
