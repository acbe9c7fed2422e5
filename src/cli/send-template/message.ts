import type { Input } from '../../contract/index.ts';
import { isRecord, UsageError } from '../../std/index.ts';
import { parseAssignee } from '../values/assignee.ts';
import { type MediaFile, mediaFile } from './media.ts';

type Body = Input<'templates.send'>;
type Variables = NonNullable<Body['variables']>;

/** The flags' values. `data` is already parsed. */
export interface MessageFlags {
  readonly template?: string | undefined;
  readonly to?: string | undefined;
  readonly lang?: string | undefined;
  readonly body?: readonly string[] | undefined;
  readonly var?: readonly string[] | undefined;
  readonly header?: string | undefined;
  readonly button?: readonly string[] | undefined;
  readonly carousel?: unknown;
  readonly data?: unknown;
  readonly assign?: string | undefined;
}

/** A message before its files are uploaded: they are in the body as `{file}`, and in `files`. */
export interface Draft {
  readonly body: Body;
  readonly files: readonly MediaFile[];
}

/**
 * Combines flags and data into the body of `templates.send`. Flags override data.
 * @param folder   files named by flags are relative to it
 * @throws UsageError naming the flag
 */
export function draftOf(flags: MessageFlags, folder: string): Draft {
  const files: MediaFile[] = [];
  const takeFile = (path: string, from: string) => {
    const file = mediaFile(path, from);
    files.push(file);
    return { mediaId: file.placeholder };
  };
  const { message, variables: given } = splitData(flags.data);
  const variables: Variables = { ...given };

  if (flags.body?.length && flags.var?.length) {
    throw new UsageError('flags_contradict', '--body and --var cannot be combined', {
      hint: 'A template has positional variables (--body, in order) or named ones (--var name=value), never both.',
    });
  }
  if (flags.body?.length) variables.body = [...flags.body];
  if (flags.var?.length) variables.body = { ...(isRecord(variables.body) ? variables.body : {}), ...named(flags.var) };
  if (flags.header !== undefined) variables.header = headerOf(flags.header, (path) => takeFile(path, folder));
  if (flags.button?.length) variables.buttons = flags.button.map(buttonOf);
  if (flags.carousel !== undefined) variables.carousel = cardsOf(flags.carousel);
  if (variables.carousel !== undefined) {
    variables.carousel = variables.carousel.map((card) => withFiles(card, (path) => takeFile(path, folder)));
  }

  const to = flags.to ?? message.to;
  const template = flags.template ?? message.template;
  if (template === undefined) {
    throw new UsageError('template_missing', 'No template given', {
      hint: 'As in: send-template order_shipped --to +4930901820',
    });
  }
  if (to === undefined) {
    throw new UsageError('to_missing', 'No recipient given', {
      hint: 'Pass the number in international form: --to +4930901820',
    });
  }
  const language = flags.lang ?? message.language;
  const assign = flags.assign === undefined ? message.assign : parseAssignee(flags.assign);
  return {
    body: {
      to,
      template,
      ...(language === undefined ? {} : { language }),
      ...(Object.keys(variables).length === 0 ? {} : { variables }),
      ...(assign === undefined ? {} : { assign }),
    },
    files,
  };
}

/** `--data` is a whole body, as printed by `fn template show --example`, or just the variables. */
function splitData(data: unknown): { message: Partial<Body>; variables: Variables } {
  if (data === undefined) return { message: {}, variables: {} };
  if (!isRecord(data)) throw new UsageError('data_invalid', '--data is not a JSON object', { hint: dataHint });
  const whole = ['to', 'template', 'variables', 'language', 'assign'].some((key) => key in data);
  if (!whole) return { message: {}, variables: data as Variables };
  const { variables, ...message } = data;
  if (variables !== undefined && !isRecord(variables)) {
    throw new UsageError('data_invalid', '--data: "variables" is not an object', { hint: dataHint });
  }
  return { message: message as Partial<Body>, variables: (variables ?? {}) as Variables };
}

const dataHint = '`fn template show NAME --example --json` prints an example to start from.';

function headerOf(given: string, takeFile: (path: string) => { mediaId: string }): NonNullable<Variables['header']> {
  if (given.startsWith('@')) return takeFile(given.slice(1));
  if (/^https:\/\//i.test(given)) return { url: given };
  if (/^med_\w+$/.test(given)) return { mediaId: given };
  const place = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(given);
  if (place !== null) return { latitude: Number(place[1]), longitude: Number(place[2]) };
  return given;
}

function named(pairs: readonly string[]): Record<string, string> {
  // Not by assignment, which would drop a key named __proto__.
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at <= 0) throw new UsageError('flag_invalid', `--var: "${pair}" is not of the form name=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function buttonOf(given: string): { index: number; value: string } {
  const match = /^(\d)=([\s\S]*)$/.exec(given);
  if (match === null) {
    throw new UsageError('flag_invalid', `--button: "${given}" is not of the form index=value`, {
      hint: 'Buttons count from 0, as in --button 0=A-17',
    });
  }
  return { index: Number(match[1]), value: match[2] ?? '' };
}

function cardsOf(value: unknown): NonNullable<Variables['carousel']> {
  if (Array.isArray(value)) return value as NonNullable<Variables['carousel']>;
  throw new UsageError('data_invalid', '--carousel is not a JSON array of cards', {
    hint: 'As in: [{"header": {"file": "shoe.jpg"}, "body": ["Shoe"], "buttons": [{"index": 0, "value": "17"}]}]',
  });
}

type Card = NonNullable<Variables['carousel']>[number];

/** A card's header may name a file: `{"file": "shoe.jpg"}`. */
function withFiles(card: Card, takeFile: (path: string) => { mediaId: string }): Card {
  const header: unknown = isRecord(card) ? card.header : undefined;
  return isRecord(header) && typeof header['file'] === 'string' ? { ...card, header: takeFile(header['file']) } : card;
}
