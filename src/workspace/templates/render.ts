import type { Json } from '../types.ts';
import { filled, type TemplateButton, type TemplateDefinition } from './definition.ts';
import { filledUrl, type Variables, valuesOf } from './variables.ts';

/** A message template as the customer sees it: every component, filled. */
export interface Rendered {
  header?: Json;
  body: string;
  footer?: string;
  buttons?: Json[];
  carousel?: { header: Json; body?: string; buttons?: Json[] }[];
}

/** Fills a template with variables that fit it (see `variableProblems`). */
export function render(definition: TemplateDefinition, variables: Variables): Rendered {
  const { header, body, footer, buttons, carousel } = definition;
  return {
    ...(header === undefined ? {} : { header: renderedHeader(header, variables.header) }),
    body: renderedBody(body, variables.body),
    ...(footer === undefined ? {} : { footer }),
    ...(buttons === undefined ? {} : { buttons: renderedButtons(buttons, variables.buttons) }),
    ...(carousel === undefined
      ? {}
      : {
          carousel: carousel.map((card, index) => {
            const values = variables.carousel?.[index];
            return {
              header: { format: card.header.format, ...media(values?.header) },
              ...(card.body === undefined ? {} : { body: renderedBody(card.body, values?.body) }),
              ...(card.buttons === undefined ? {} : { buttons: renderedButtons(card.buttons, values?.buttons) }),
            };
          }),
        }),
  };
}

function renderedHeader(header: NonNullable<TemplateDefinition['header']>, given: Variables['header']): Json {
  if (header.format === 'text') return { format: 'text', text: filled(header.text, () => String(given)) };
  return { format: header.format, ...media(typeof given === 'string' ? undefined : given) };
}

function media(given: object | undefined): Record<string, Json> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}

function renderedBody(text: string, given: Variables['body']): string {
  const values = valuesOf(given);
  return filled(text, (name) => values.get(name) ?? '');
}

function renderedButtons(buttons: readonly TemplateButton[], given: Variables['buttons']): Json[] {
  return buttons.map((button, index) => {
    const value = given?.find((one) => one.index === index)?.value ?? '';
    switch (button.type) {
      case 'quick_reply':
        return { type: button.type, text: button.text };
      case 'url':
        return { type: button.type, text: button.text, url: filledUrl(button.url, value) };
      case 'phone':
        return { type: button.type, text: button.text, phone: button.phone };
      case 'copy_code':
        return { type: button.type, text: button.text, code: value };
      default:
        return button satisfies never;
    }
  });
}
