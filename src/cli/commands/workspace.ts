import type { Seed } from '../../contract/shapes/index.ts';
import { mostSeedBytes, parseSeed, placedSeedProblem, readSeed } from '../../project/index.ts';
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

/** As large as the seed of an app may be: what was exported can be read again. */
async function seedFrom(context: Context, file: string): Promise<Seed> {
  const { value, text } = await readJsonAndText(context, `@${file}`, 'FILE', mostSeedBytes);
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
};
