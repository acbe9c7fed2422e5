import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FunctionType } from '../../contract/index.ts';
import type { LoadedFunction } from '../../emulator/index.ts';
import { type FunctionFile, resolveFunctionName, writeEditorFiles } from '../../project/index.ts';
import { forkEarly } from '../../sandbox/early.ts';
import { FnError, MachineError, replaceFile } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { alike, type BrokenFunction, problemTexts } from '../failures/alike.ts';
import { mapLine, refuseOverSources } from '../functions/build-folder.ts';
import { requirePortable } from '../functions/portable-tools.ts';
import { tellBuilt } from '../functions/tell-built.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { table } from '../terminal/table.ts';

interface Built {
  readonly name: string;
  readonly type: FunctionType;
  readonly bytes: number;
  readonly ms: number;
}

export const command = defineCommand({
  description: `Bundles every function (or the named ones) and loads each bundle once in the sandbox, so that what builds here also loads in a workspace. Without names it also checks the app's AI agents and flows. With --out the bundles and their source maps are written to a folder; a script there that fn build did not write is never replaced.`,
  arguments: { names: { summary: 'Functions; default: all', many: true, optional: true } },
  options: {
    out: { flag: '--out <folder>', summary: 'Write the bundles and source maps there' },
    minify: { flag: '--minify', summary: 'Smaller code; stack traces still point to your sources' },
  },
  examples: [
    { line: 'fn build', does: 'checks that every function builds and loads', runs: true },
    { line: 'fn build --out build', does: 'writes build/<function>.js and .js.map', runs: true },
  ],
  json: '{built: [{name, type, bytes, ms}], failed: [{name, error}]}',
  see: ['packages-and-node'],
  complete: { names: 'functions' },
  async run(context, args) {
    const { io } = context;
    // The sandbox's process starts while the project is read and the compiler loads.
    forkEarly();
    const project = await context.requireProject();
    writeEditorFiles(project);
    const { appFileProblems, openFunctions, surplusFunctions } = await import('../../emulator/index.ts');
    const tell = tellBuilt(io);
    const timings = new Map<string, { bytes: number; ms: number }>();
    const { functions, sandbox, close } = await openFunctions(
      project,
      (event) => {
        if (event.type === 'built') timings.set(event.name, event);
        tell(event);
      },
      { minify: args.minify },
    );
    context.onEnd(close);
    const files = await functions.files();
    const wanted = args.names?.length ? args.names.map((name) => resolveFunctionName(files, name)) : files;
    const out = args.out === undefined ? undefined : resolve(context.cwd, args.out);
    if (out !== undefined) {
      refuseOverSources(
        project.root,
        out,
        wanted.map(({ path }) => path),
      );
    }
    const failed: BrokenFunction[] = [];
    const configs: Pick<LoadedFunction, 'name' | 'config'>[] = [];
    let finished = 0;
    const build = async ({ name, relative }: FunctionFile): Promise<Built | undefined> => {
      try {
        const loaded = await functions.load(name);
        configs.push(loaded);
        requirePortable(io, name, loaded.config, relative);
        const { bytes, ms } = timings.get(name) ?? { bytes: 0, ms: 0 };
        if (out !== undefined) await write(out, loaded);
        return { name, type: loaded.type, bytes, ms: Math.round(ms) };
      } catch (error) {
        if (!(error instanceof FnError)) throw error;
        failed.push({ name, error });
        return undefined;
      } finally {
        io.progress(`built ${name} (${++finished} of ${wanted.length})`);
      }
    };
    const done = (await Promise.all(wanted.map(build))).filter((one) => one !== undefined);
    const surplus = surplusFunctions(configs);
    for (const [name, error] of surplus) failed.push({ name, error });
    if (!args.names?.length) {
      const known = files.map(({ name }) => ({ name, ...configs.find((one) => one.name === name) }));
      failed.push(...(await appFileProblems(functions, known)));
    }
    const built = done.filter(({ name }) => !surplus.has(name));
    io.progress('');
    // Descriptions are cached; without this check, a machine that cannot run a sandbox would not be noticed.
    await sandbox.ready;
    if (!io.json)
      for (const text of problemTexts(alike(failed), io.errStyle, {
        version: context.version,
        command: 'build',
        debug: context.flags.debug,
      }))
        io.err(text);
    io.result(
      {
        built,
        failed: failed.map(({ name, error: { code, message, hint, location } }) => ({
          name,
          error: { code, message, ...(hint && { hint }), ...(location && { location }) },
        })),
      },
      () => (built.length === 0 ? undefined : sizes(built)),
    );
    if (wanted.length === 0 && failed.length === 0) io.err('No functions yet. Create one with "fn init".');
    if (failed.length === 0) return 0;
    // If no function is at fault, the machine is: a full disk, a folder without permission.
    return failed.every(({ error }) => error instanceof MachineError) ? 1 : 2;
  },
});

async function write(folder: string, { path, program, view }: LoadedFunction): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const code = program?.code ?? view?.script ?? '';
  const sourceMap = program?.sourceMap ?? view?.sourceMap ?? '';
  // Atomic: on a full disk the previous build stays intact.
  replaceFile(`${file}.map`, sourceMap, 0o644);
  if (view?.css) replaceFile(file.replace(/\.js$/, '.css'), view.css, 0o644);
  replaceFile(file, `${code}\n${mapLine(file)}`, 0o644);
}

function sizes(built: readonly Built[]): string {
  return table(built.map(({ name, type, bytes, ms }) => [name, type, bytesText(bytes), `${ms} ms`]));
}
