import type { Input, Output } from './shapes/index.ts';

type Template = Output<'templates.list'>['items'][number];

/** Builds an example body that `templates.send` accepts. */
export function templateExample(template: Template): Input<'templates.send'> {
  const { variables, header, carousel = [] } = template;
  const filling = fillingOf(template.body);
  return {
    to: '+4930901820',
    template: template.name,
    language: template.language,
    variables: {
      ...(header === undefined ? {} : headerExample(header.format, variables.header.length > 0)),
      ...(filling === undefined ? {} : { body: filling }),
      ...(variables.buttons.length === 0
        ? {}
        : { buttons: variables.buttons.map(({ index }) => ({ index, value: 'A-17' })) }),
      ...(carousel.length === 0
        ? {}
        : {
            carousel: carousel.map((card) => {
              const inCard = card.body === undefined ? undefined : fillingOf(card.body);
              const buttons = (card.buttons ?? []).flatMap((button, index) =>
                button.type === 'copy_code' || (button.type === 'url' && button.url.includes('{{'))
                  ? [{ index, value: 'A-17' }]
                  : [],
              );
              return {
                header: { url: `https://www.example.com/${card.header.format === 'video' ? 'clip.mp4' : 'photo.jpg'}` },
                ...(inCard === undefined ? {} : { body: inCard }),
                ...(buttons.length === 0 ? {} : { buttons }),
              };
            }),
          }),
    },
  };
}

function headerExample(format: string, takesText: boolean): NonNullable<Input<'templates.send'>['variables']> {
  if (format === 'text') return takesText ? { header: 'Ann' } : {};
  if (format === 'location') return { header: { latitude: 52.52, longitude: 13.4, name: 'Our shop' } };
  const file = { video: 'clip.mp4', document: 'invoice.pdf' }[format] ?? 'photo.jpg';
  return { header: { url: `https://www.example.com/${file}` } };
}

function fillingOf(text: string): string[] | Record<string, string> | undefined {
  const names = [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1] ?? ''))];
  if (names.length === 0) return undefined;
  if (names.every((name) => /^\d+$/.test(name))) return names.map((_, i) => `value ${i + 1}`);
  return Object.fromEntries(names.map((name) => [name, `${name} value`]));
}
