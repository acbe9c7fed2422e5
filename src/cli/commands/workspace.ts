import type { Seed } from '../../contract/shapes/index.ts';
import { maxSeedBytes, parseSeed, placedSeedProblem, readSeed } from '../../project/index.ts';
import { MachineError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { toJson } from '../terminal/sanitise.ts';
import { readJsonAndText } from '../values/read-json.ts';
import { writeUserFile } from '../values/write-file.ts';

const reset = defineCommand({
  description: `Empties the local workspace – customers, conversations, invocations, packs, app data – and loads the seed again: the one you name, otherwise the app's seed.json, otherwise a small made-up company. Deployed functions and the local token stay.

Also works while "fn dev" is running, without a restart.`,
  options: {
    seed: { flag: '--seed <file>', summary: 'Seed to load instead of seed.json' },
    yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' },
  },
  examples: [
    { line: 'fn workspace reset --yes', does: 'starts over', runs: true },
    { line: 'fn workspace reset --seed big.json', does: 'starts over with another seed' },
  ],
  json: '{}',
  see: ['seed'],
  async run(context, args) {
    const target = await context.target('local');
    const project = await context.requireProject();
    const seed = args.seed === undefined ? await readSeed(project) : await seedFrom(context, args.seed);
    if (!args.yes) {
      const agreed = await context.ask.confirm({
        message: `Empty the local workspace of ${project.app}?`,
        flag: '--yes',
      });
      if (!agreed) {
        context.io.err('Nothing was changed.');
        return 130;
      }
    }
    const done = await target
      .door('workspace.reset', seed === undefined ? {} : { seed })
      .catch((error: unknown) => misplaced(context, error, args.seed, project.root));
    context.io.result(done, () => 'The local workspace starts over.');
    return 0;
  },
});

const save = defineCommand({
  description:
    'Writes channels, workgroups, agents, templates, customers with their conversations, packs and variables of the local workspace as a seed, which "fn workspace import", "fn workspace reset --seed" and "fn dev --seed" read.',
  arguments: { file: { summary: 'File to write; default: standard output', optional: true } },
  options: { force: { flag: '--force', summary: 'Replace the file' } },
  examples: [
    { line: 'fn workspace export', does: 'prints the workspace', runs: true },
    { line: 'fn workspace export seed.json --force', does: 'makes the existing data the seed of the app', runs: true },
  ],
  json: 'The seed.',
  see: ['seed'],
  async run(context, { file, force }) {
    const seed = await (await context.target('local')).door('workspace.export', {});
    if (file === undefined || file === '-') {
      context.io.result(seed, () => toJson(seed, 2));
      return;
    }
    await writeUserFile(context, file, `${JSON.stringify(seed, null, 2)}\n`, force);
    context.io.result({ file }, () => undefined);
    context.io.err(`Written: ${file}`);
  },
});

const load = defineCommand({
  description: 'Adds the contents of a seed to the local workspace, all of it or nothing. Existing data stays.',
  arguments: { file: { summary: 'Seed to read; - for standard input' } },
  examples: [{ line: 'fn workspace import more-customers.json', does: 'adds customers' }],
  json: '{created: {customers: 12, …}}',
  see: ['seed'],
  async run(context, { file }) {
    const seed = await seedFrom(context, file);
    const { door } = await context.target('local');
    const { created } = await door('workspace.import', { seed }).catch((error: unknown) =>
      misplaced(context, error, file),
    );
    context.io.result({ created }, () => {
      const parts = Object.entries(created).filter(([, count]) => count > 0);
      return parts.length === 0
        ? 'There was nothing new to add.'
        : `Added: ${parts.map(([what, count]) => `${count} ${what}`).join(', ')}`;
    });
  },
});

const adopt = defineCommand({
  description: `Takes back local state that fn has set aside, or would set aside: the app was moved or copied, or runs in a container or as another user.

fn only trusts state – the database, the token, what was deployed – that you made on this machine in this folder, because a cloned repository may bring somebody else's. Adopt only what is yours: whoever made it knows its token, and can have put anything into its data. State that is there instead is set aside in turn; nothing is deleted.`,
  arguments: {
    folder: { summary: 'What to take back, such as .fn-set-aside-20260102030405; default: the newest', optional: true },
  },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [
    { line: 'fn workspace adopt', does: 'asks, and takes back what was set aside last' },
    { line: 'fn workspace adopt --yes', does: 'in a container, at its start' },
  ],
  json: '{adopted, setAside}: the names of the folders; setAside is null if nothing was in the way',
  see: ['questions'],
  async run(context, { folder, yes }) {
    const { adoptable, adoptState } = await import('../../project/index.ts');
    const { findRunningDev } = await import('../../emulator/sources/local/state-files.ts');
    // Not `requireProject`, which would set it aside.
    const project = (await context.project()) ?? (await context.requireProject());
    const found = adoptable(project, folder, context.env);
    const dev = found === '.fn' ? undefined : await findRunningDev(project.stateDir);
    if (dev !== undefined) {
      throw new MachineError('dev_running', `"fn dev" is running for this app: ${dev.url} (process ${dev.pid})`, {
        hint: 'Stop it with Ctrl-C in its terminal, then adopt.',
      });
    }
    const question = `Use the local state in ${found}? Whoever made it knows its token, and can have put anything into it.`;
    if (!yes && !(await context.ask.confirm({ message: question, flag: '--yes' }))) {
      context.io.err('Nothing was changed.');
      return 130;
    }
    const setAside = adoptState(project, found, context.env) ?? null;
    context.io.result({ adopted: found, setAside }, () =>
      found === '.fn'
        ? '.fn is yours from now on.'
        : `${found} is .fn again${setAside === null ? '' : `; what was there is ${setAside} now`}.`,
    );
    return 0;
  },
});

/** As large as the seed of an app may be: what was exported can be read again. */
async function seedFrom(context: Context, file: string): Promise<Seed> {
  const { value, text } = await readJsonAndText(context, `@${file}`, 'FILE', maxSeedBytes);
  return await parseSeed(value, text, file === '-' ? 'standard input' : file);
}

/** @throws the problem with the line of the file that it is about */
async function misplaced(
  context: Context,
  error: unknown,
  file: string | undefined,
  root = context.cwd,
): Promise<never> {
  throw file === '-' ? error : await placedSeedProblem(error, { root: file === undefined ? root : context.cwd }, file);
}

/** `fn workspace …` */
export const commands = {
  reset: { summary: 'Empty the local workspace and load the seed again', command: reset },
  export: { summary: 'Export the local workspace as a seed', command: save },
  import: { summary: 'Add a seed to the local workspace', command: load },
  adopt: { summary: 'Take back local state that was set aside', command: adopt },
};
