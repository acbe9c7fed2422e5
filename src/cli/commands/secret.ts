import { readLocalSecrets, secretsWithout } from '../../project/index.ts';
import { everyPage, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../terminal/table.ts';
import { appName, appOption } from '../values/app-name.ts';
import { confirmRemote, placeOf } from '../workspaces/confirm-remote.ts';

const see = ['secrets'] as const;

const set = defineCommand({
  description: `Sets a secret that the functions of an app read with sdk.secrets.get(name). No command shows its value.

fn prompts for the value without showing it, or reads it from standard input or a variable. It is never an argument, because other users can see arguments.`,
  arguments: { name: { summary: 'Letters, digits and underscores' } },
  options: {
    stdin: { flag: '--stdin', summary: 'Read the value from standard input, without one trailing newline' },
    fromVariable: { flag: '--from-variable <name>', summary: 'Take the value from this environment variable' },
    of: appOption,
  },
  examples: [
    { line: 'fn secret set STRIPE_KEY', does: 'asks for the value' },
    { line: 'fn secret set STRIPE_KEY --stdin < key.txt', does: 'reads it from a file' },
    { line: 'fn secret set STRIPE_KEY --from-variable STRIPE_KEY', does: 'takes it from the environment, for CI' },
  ],
  json: '{name, updatedAt}',
  see,
  async run(context, { name, stdin, fromVariable, of }) {
    const app = await appName(context, of);
    const value = await readValue();
    if (value === '')
      throw new UsageError('secret_empty', `The value of ${name} is empty`, {
        hint: 'To remove it: fn secret delete',
      });
    const target = await context.target();
    const secret = await target.door('secrets.set', { app, name, value }, { signal: context.signal });
    context.io.result(
      { name: secret.name, updatedAt: secret.updatedAt },
      () => `Set: ${secret.name} of ${app}${placeOf(target)}`,
    );

    async function readValue(): Promise<string> {
      if (stdin && fromVariable !== undefined) {
        throw new UsageError('flags_contradict', '--stdin and --from-variable cannot be combined', {
          hint: 'Use one of them.',
        });
      }
      if (stdin) return (await context.stdin(70_000)).replace(/\r?\n$/, '');
      if (fromVariable === undefined)
        return await context.ask.secret({ message: `Value of ${name}:`, flag: '--stdin' });
      const found = context.env[fromVariable];
      if (found !== undefined) return found;
      throw new UsageError('variable_unset', `The variable ${fromVariable} is not set`, {
        hint: 'Set it, or check its name.',
      });
    }
  },
});

const list = defineCommand({
  description: `Lists the names of an app’s secrets, never their values, and says which of the secrets in fn.config.json have no value.

In the local workspace, values may also come from .fn/secrets.json and from variables FN_SECRET_NAME; these are not listed.`,
  options: { of: appOption },
  examples: [{ line: 'fn secret list', does: 'lists the names', runs: true }],
  json: '{items: [{name, updatedAt}], missing?: [name]}',
  see,
  async run(context, { of }) {
    const app = await appName(context, of);
    const target = await context.target();
    const items = await everyPage((page) => target.door('secrets.list', { app, ...page }, { signal: context.signal }));
    const project = await context.project();
    const given = project && target.kind !== 'remote' ? await readLocalSecrets(project, context.env) : new Map();
    const stored = new Set(items.map(({ name }) => name));
    const missing = project?.app === app ? secretsWithout(project, given, stored) : [];
    const none = missing.length === 0 ? `${app} has no secrets. Set one: fn secret set NAME` : `${app} has no secrets.`;
    context.io.results({ items, ...(missing.length > 0 && { missing }) }, none, () =>
      table(items.map(({ name, updatedAt }) => [name, updatedAt.slice(0, 16).replace('T', ' ')])),
    );
    if (missing.length > 0 && !context.io.json)
      context.io.err(
        `fn.config.json also lists ${missing.join(', ')}, without a value. Set one: fn secret set ${missing[0]}`,
      );
  },
});

const remove = defineCommand({
  description: 'Deletes a secret. Functions that read it get null from then on.',
  arguments: { name: { summary: 'Name of the secret' } },
  options: { of: appOption, yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn secret delete STRIPE_KEY', does: 'deletes it' }],
  json: '{name, deleted}',
  see,
  async run(context, { name, of, yes }) {
    const app = await appName(context, of);
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Delete the secret ${name} of ${app} in ${target.slug}?`)))
      return 130;
    await target.door('secrets.delete', { app, name }, { signal: context.signal });
    context.io.result({ name, deleted: true }, () => `Deleted: ${name} of ${app}${placeOf(target)}`);
    return 0;
  },
});

/** `fn secret …` */
export const commands = {
  set: { summary: 'Set a secret of the app', command: set },
  list: { summary: 'List the names of the app’s secrets', command: list },
  delete: { summary: 'Delete a secret of the app', command: remove },
};
