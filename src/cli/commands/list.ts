import { functionTypes } from '../../contract/index.ts';
import type { FunctionInfo } from '../../emulator/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { liveFunctions } from '../functions/live-functions.ts';
import { tellLongBuilds } from '../functions/tell-built.ts';
import { table } from '../terminal/table.ts';

interface Listed {
  readonly name: string;
  readonly type?: string;
  readonly file?: string;
  readonly url?: string;
  readonly problem?: string;
}

export const command = defineCommand({
  description:
    'Lists the functions of this app or, with --remote, those that are live in the workspace you are logged in to.',
  options: { remote: { flag: '--remote', summary: 'List the live functions of the workspace you are logged in to' } },
  examples: [{ line: 'fn list', does: 'lists the functions with type and file', runs: true }],
  json: '{items: [{name, type, file, url?, problem?}]}',
  async run(context, { remote }) {
    const { io } = context;
    const items = remote ? await deployedFunctions(context) : await localFunctions(context);
    const none = remote
      ? 'Nothing is live. Deploy the functions of this app with "fn deploy".'
      : 'No functions yet. Create one with "fn init".';
    io.results({ items }, none, () => rows(context, items));
    return items.some(({ problem }) => problem !== undefined) ? 2 : 0;
  },
});

async function localFunctions(context: Context): Promise<Listed[]> {
  const project = await context.requireProject();
  const { forkEarly } = await import('../../sandbox/early.ts');
  forkEarly();
  const { findRunningDev, openFunctions } = await import('../../emulator/index.ts');
  const running = await findRunningDev(project.stateDir);
  const { functions, close } = await openFunctions(project, tellLongBuilds(context.io));
  context.onEnd(close);
  const infos = await functions.list();
  return infos.map((info) => listed(info, running && `${running.url}/api/${running.slug}`, project.app));
}

function listed(
  { name, path, type, config, file, problem }: FunctionInfo,
  api: string | undefined,
  app: string,
): Listed {
  const exposed = config?.type === 'server-side-method' && config.expose !== false;
  return {
    name,
    ...(type && { type }),
    ...(file && { file }),
    ...(api && exposed && { url: `${api}/custom-functions/${app}/${path}` }),
    ...(problem && { problem: problem.message }),
  };
}

async function deployedFunctions(context: Context): Promise<Listed[]> {
  const { app } = await context.requireProject();
  const { door } = await context.target('remote');
  const items = await liveFunctions(door, app, context.signal);
  return items.map(({ name, type, url }) => ({ name, type, ...(url && { url }) }));
}

function rows({ io }: Context, items: readonly Listed[]): string {
  const { style } = io;
  const cells = items.map(({ name, type, file, url, problem }) => [
    name,
    type ? titleOf(type) : '–',
    problem ? `does not build: ${firstLine(problem)}` : (url ?? file ?? ''),
  ]);
  return table(cells, (cell, column) => (column === 0 ? style.bold(cell) : column === 2 ? style.dim(cell) : cell));
}

/** Of a message that goes on to show places and source lines, the first line that says what is wrong. */
function firstLine(problem: string): string {
  const [head = '', places = head] = problem.split('\n\n');
  return places.split('\n')[0] ?? '';
}

function titleOf(type: string): string {
  return Object.hasOwn(functionTypes, type) ? functionTypes[type as keyof typeof functionTypes].title : type;
}
