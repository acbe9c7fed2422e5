import type { Output } from '../../contract/index.ts';
import { defineCommand } from '../command.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { readJson } from '../values/read-json.ts';

type Confirmation = Output<'confirmations.list'>['items'][number];

const see = ['tools'] as const;
const maxShown = 200;
const id = { summary: 'Id of the confirmation, cfm_…' } as const;

const list = defineCommand({
  description:
    'Lists the calls of tools that wait for somebody to confirm them; with --all, also those that were answered or expired.',
  options: {
    all: { flag: '--all', summary: 'Also those that were answered or expired' },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [{ line: 'fn confirmation list', does: 'lists what waits for an answer', runs: true }],
  json: '{items: [confirmation], nextCursor}',
  see,
  async run(context, { all, limit = 50 }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    const door = await context.door();
    const page = await door('confirmations.list', { limit, ...(!all && { open: true }) }, { signal });
    io.results(page, 'Nothing waits for a confirmation', () => {
      const rows = page.items.map((one) => [
        one.id,
        one.tool,
        one.by,
        one.state,
        one.expiresAt,
        one.arguments === null ? '' : JSON.stringify(one.arguments),
      ]);
      return listing(io, [['ID', 'TOOL', 'ANSWERS', 'STATE', 'EXPIRES', 'ARGUMENTS'], ...rows], [5]);
    });
  },
});

const show = defineCommand({
  description: 'Shows a confirmation: while it is open with all arguments, afterwards with what came of the call.',
  arguments: { id },
  examples: [{ line: 'fn confirmation show cfm_01JD…', does: 'shows it as JSON' }],
  json: 'The confirmation, with outcome: {status, result?, error?} or null',
  see,
  async run(context, given) {
    const shown = await (await context.door())('confirmations.show', { id: given.id }, { signal: context.signal });
    context.io.result(shown, () => JSON.stringify(shown, null, 2));
  },
});

const allow = defineCommand({
  description:
    'Allows a call of a tool that waits for a person. With --data, the call is made with these arguments instead.',
  arguments: { id },
  options: {
    data: { flag: '-d, --data <json>', summary: 'Other arguments, as JSON, @file, or @- for standard input' },
  },
  examples: [
    { line: 'fn confirmation allow cfm_01JD…', does: 'lets the call be made' },
    { line: `fn confirmation allow cfm_01JD… -d '{"orderId":"A-1017","euros":20}'`, does: 'changes the arguments' },
  ],
  json: 'The confirmation',
  see,
  async run(context, given) {
    const { io, signal } = context;
    const target = await context.target();
    const edited =
      given.data === undefined ? {} : { arguments: (await readJson(context, given.data, '--data')) as never };
    const answered = await target.door(
      'confirmations.answer',
      { id: given.id, answer: 'allow', ...edited },
      { signal },
    );
    const later = target.kind === 'embedded' ? ' The call is made when "fn dev" is started.' : '';
    io.result(answered, () => `Allowed: ${told(answered)}.${later}`);
  },
});

const deny = defineCommand({
  description: 'Denies a call of a tool that waits for a person. The model reads the reason.',
  arguments: { id },
  options: { reason: { flag: '--reason <text>', summary: 'Why not' } },
  examples: [{ line: "fn confirmation deny cfm_01JD… --reason 'Not before Monday'", does: 'denies it' }],
  json: 'The confirmation',
  see,
  async run(context, { id: of, reason }) {
    const door = await context.door();
    const input = { id: of, answer: 'deny' as const, ...(reason !== undefined && { reason }) };
    const answered = await door('confirmations.answer', input, { signal: context.signal });
    context.io.result(answered, () => `Denied: ${told(answered)}`);
  },
});

const told = ({ tool, callId }: Confirmation) => `${tool} (${callId})`;

/** `fn confirmation …` */
export const commands = {
  list: { summary: 'List calls of tools that wait to be confirmed', command: list },
  show: { summary: 'Show a confirmation and what came of it', command: show },
  allow: { summary: 'Allow a call that waits', command: allow },
  deny: { summary: 'Deny a call that waits', command: deny },
};
