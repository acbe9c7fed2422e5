import { eventKinds, type Input } from '../../contract/index.ts';
import { isRecord, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { bySchema } from '../values/by-schema.ts';
import { countWithin } from '../values/count-within.ts';
import { keyAndValue, setField, typedValue } from '../values/fields.ts';
import { readJsonObject } from '../values/read-json.ts';

type Data = NonNullable<Input<'events.trigger'>['data']>;

const maxRepeats = 1_000;

export const command = defineCommand({
  description: `Makes an event happen in the local workspace, to try out what receives it: endpoints, listeners, flows, and functions by their config.events. Where one step of somebody causes it, that step is taken, in the newest conversation: a customer writes, a colleague answers, notes, assigns, closes, reopens or pauses the AI.

Of the other kinds, and with fields that no step takes, the example of the kind is written with what you give. It is marked synthetic: nothing happened, and its objects need not exist.`,
  arguments: { kind: { summary: 'Kind of event, such as message.received; fn webhook events lists them' } },
  options: {
    field: {
      flag: '-f, --field <key=value>',
      summary: 'What is to differ from the example: message.text=Hi',
      many: true,
    },
    typed: { flag: '-F, --typed-field <key=value>', summary: 'The same, as JSON or @file', many: true },
    saved: { flag: '--input <file>', summary: 'JSON of an event, or of what it carries; - for standard input' },
    synthetic: { flag: '--synthetic', summary: 'Write the example, also where the real thing could happen' },
    repeat: { flag: '--repeat <count>', summary: `How many events; default 1, at most ${maxRepeats}`, type: 'count' },
  },
  examples: [
    { line: 'fn webhook trigger message.received', does: 'lets a customer write', runs: true },
    { line: 'fn webhook trigger message.received --synthetic', does: 'writes an example', runs: true },
    { line: "fn webhook trigger message.received -f message.text='Where is it?'", does: 'says something else' },
    {
      line: 'fn webhook trigger message.received --input fixtures/events/message.received.json',
      does: 'writes a saved one',
    },
  ],
  json: 'The event; with --repeat one per line',
  see: ['events'],
  complete: { kind: async () => [...eventKinds] },
  async run(context, { kind, field, typed, saved, synthetic, repeat = 1 }) {
    countWithin('--repeat', repeat, maxRepeats);
    const data: Data = saved === undefined ? {} : await dataFrom(context, saved);
    const { eventSchemaOf } = await import('../../contract/shapes/index.ts');
    const known = eventKinds.find((one) => one === kind);
    const schema = known === undefined ? undefined : eventSchemaOf(known);
    for (const given of field) {
      const [key, value] = keyAndValue(given, '-f');
      const path = pathOf(key);
      setField(data, path, schema === undefined ? value : bySchema(schema, `data.${path}`, value));
    }
    for (const given of typed) {
      const [key, value] = keyAndValue(given, '-F');
      setField(data, pathOf(key), await typedValue(context, value));
    }
    const { io, signal } = context;
    const target = await context.target('local');
    const canHappen = known !== undefined && !synthetic && saved === undefined;
    const { makeHappen } = await import('./real-event.ts');
    let isExample = false;
    for (let number = 1; number <= repeat && !signal.aborted; number++) {
      const happened = canHappen ? await makeHappen(target.door, known, data) : undefined;
      isExample = happened === undefined;
      const event = happened ?? (await target.door('events.trigger', { type: kind, data }, { signal }));
      io.item(event, () => event.id);
    }
    if (isExample && !synthetic) io.err('An example was written (synthetic): nothing has happened.');
    if (target.kind === 'embedded') io.err('It is delivered as soon as "fn dev" runs.');
  },
});

/** `data.` may stand before a path, as in the event. */
const pathOf = (key: string): string => key.replace(/^data\./, '');

/** What a saved event carries, or what is to be carried. */
async function dataFrom(context: Context, file: string): Promise<Data> {
  const given = await readJsonObject(context, `@${file}`, '--input', '{"message":{"text":"Hi"}}');
  if (!('data' in given) || !('type' in given)) return given as Data;
  if (isRecord(given['data'])) return given['data'] as Data;
  throw new UsageError('data_invalid', `${file}: data is not an object`, {
    hint: 'As in the answer of fn event show ID',
  });
}
