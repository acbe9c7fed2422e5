import type { Input } from '../../contract/index.ts';
import { everyPage } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { roomOn, table } from '../terminal/table.ts';
import { appName, appOption } from '../values/app-name.ts';
import { confirmRemote, placeOf } from '../workspaces/confirm-remote.ts';

const see = ['vars'] as const;
type Json = Input<'vars.set'>['value'];

const set = defineCommand({
  description:
    'Sets a variable that the functions of an app read with sdk.vars.get(name). A value that is valid JSON is stored as JSON, anything else as text; --text always stores text. For values that nobody may read, use "fn secret".',
  arguments: {
    name: { summary: 'Letters, digits and underscores' },
    value: { summary: 'The value, JSON or text' },
  },
  options: { text: { flag: '--text', summary: 'Store the value as text, whatever it looks like' }, of: appOption },
  examples: [
    { line: 'fn var set refundLimit 250', does: 'sets a number', runs: true },
    { line: 'fn var set greeting "Hello there"', does: 'sets text' },
    { line: `fn var set hours '{"from":9,"to":17}'`, does: 'sets an object' },
  ],
  json: '{name, value, updatedAt}',
  see,
  async run(context, { name, value, text, of }) {
    const app = await appName(context, of);
    const target = await context.target();
    const input = { app, name, value: text ? value : parsed(value) };
    const set = await target.door('vars.set', input, { signal: context.signal });
    context.io.result(set, () => `${set.name} = ${JSON.stringify(set.value)}${placeOf(target)}`);
  },
});

const list = defineCommand({
  options: { of: appOption },
  examples: [{ line: 'fn var list', does: 'lists names and values', runs: true }],
  json: '{items: [{name, value, updatedAt}]}',
  see,
  async run(context, { of }) {
    const app = await appName(context, of);
    const door = await context.door();
    const items = await everyPage((page) => door('vars.list', { app, ...page }, { signal: context.signal }));
    const { io } = context;
    io.results({ items }, `${app} has no variables. Set one: fn var set NAME VALUE`, () =>
      table(
        items.map(({ name, value }) => [name, JSON.stringify(value)]),
        undefined,
        roomOn(io, [1]),
      ),
    );
  },
});

const remove = defineCommand({
  arguments: { name: { summary: 'Name of the variable' } },
  options: { of: appOption, yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn var delete refundLimit', does: 'deletes it' }],
  json: '{name, deleted}',
  see,
  async run(context, { name, of, yes }) {
    const app = await appName(context, of);
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Delete the variable ${name} of ${app} in ${target.slug}?`)))
      return 130;
    await target.door('vars.delete', { app, name }, { signal: context.signal });
    context.io.result({ name, deleted: true }, () => `Deleted: ${name} of ${app}${placeOf(target)}`);
    return 0;
  },
});

function parsed(value: string): Json {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** `fn var …` */
export const commands = {
  set: { summary: 'Set a variable of the app', command: set },
  list: { summary: 'List the variables of the app', command: list },
  delete: { summary: 'Delete a variable of the app', command: remove },
};
