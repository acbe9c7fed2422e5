import { aboutEvents, type EventKind, eventKinds } from '../../contract/index.ts';
import { nearest, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { listing } from '../terminal/table.ts';

export const command = defineCommand({
  description:
    'Lists the kinds of events; or shows an example of one, or its JSON Schema, against which a receiver can check what it gets. message.* stands for a group of kinds, and * for all. Needs no workspace.',
  arguments: { kind: { summary: 'A kind, to show an example of it', optional: true } },
  options: { schema: { flag: '--schema <kind>', summary: 'Print the JSON Schema of this kind' } },
  examples: [
    { line: 'fn webhook events', does: 'lists the kinds', runs: true },
    { line: 'fn webhook events message.received', does: 'shows what a receiver gets', runs: true },
    { line: 'fn webhook events --schema message.received', does: 'prints its JSON Schema', runs: true },
  ],
  json: '{items: [{type, description, example}]}; for one kind: {type, description, example}; with --schema: the schema',
  see: ['events'],
  complete: { kind: async () => [...eventKinds], schema: async () => [...eventKinds] },
  async run({ io }, { kind, schema }) {
    if (kind !== undefined && schema !== undefined) {
      throw new UsageError('flags_contradict', 'A kind and --schema cannot be combined', { hint: 'Use one of them.' });
    }
    const { eventSchemaOf, exampleEventOf } = await import('../../contract/shapes/index.ts');
    if (schema !== undefined) {
      const found = eventSchemaOf(requireKind(schema));
      return io.answer(found, () => JSON.stringify(found, null, 2));
    }
    const described = (type: EventKind) => ({ type, description: aboutEvents[type], example: exampleEventOf(type) });
    if (kind !== undefined) {
      const one = described(requireKind(kind));
      io.result(one, () => JSON.stringify(one.example, null, 2));
      if (!io.json) io.err(`${one.description}.`);
      return;
    }
    const items = eventKinds.map(described);
    io.results({ items }, '', () =>
      listing(io, [['EVENT', 'WHAT HAPPENED'], ...items.map(({ type, description }) => [type, description])], [1]),
    );
  },
});

/** @throws UsageError event_unknown, with the kind that was probably meant */
function requireKind(given: string): EventKind {
  const kind = eventKinds.find((one) => one === given);
  if (kind !== undefined) return kind;
  const meant = nearest(given, eventKinds);
  throw new UsageError('event_unknown', `There is no event "${given.slice(0, 80)}"`, {
    hint: meant ? `Did you mean ${meant}?` : 'fn webhook events lists the kinds.',
  });
}
