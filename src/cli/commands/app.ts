import type { Input } from '../../contract/index.ts';
import { everyPage, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { logText } from '../terminal/log-text.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { readJsonObject } from '../values/read-json.ts';
import { confirmRemote } from '../workspaces/confirm-remote.ts';

const see = ['apps'] as const;
type Settings = Exclude<Input<'apps.install'>['settings'], undefined>;

const install = defineCommand({
  description:
    'Installs an app in the workspace and runs its Custom App Setup; if it is already installed, updates its settings. If the setup fails, the previous version and settings stay in force.',
  // Not named "app", which is the folder of -C, --app.
  arguments: { name: { summary: 'Name of the app; default: the app in this folder', optional: true } },
  options: {
    settings: { flag: '--settings <json>', summary: 'Settings as JSON, @file, or @- for standard input' },
    yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' },
  },
  examples: [
    { line: 'fn app install template-app', does: 'installs the Template API app', runs: true },
    { line: `fn app install order-desk --settings '{"region":"eu"}'`, does: 'installs your app with settings' },
  ],
  json: '{app, installed, version, setup: {invocationId, result, logs, wallMs, cpuMs} | null}',
  see,
  async run(context, { name, settings: text, yes }) {
    const app = name ?? (await context.requireProject()).app;
    const settings =
      text === undefined ? undefined : await readJsonObject(context, text, '--settings', '{"region":"eu"}');
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Install ${app} in ${target.slug}?`))) return 130;
    const installed = await target.door(
      'apps.install',
      { app, ...(settings && { settings: settings as Settings }) },
      { signal: context.signal },
    );
    showLogs(context, installed.setup);
    context.io.result(
      installed,
      () => `Installed: ${app}${installed.version === null ? '' : ` (${inLine(installed.version)})`}`,
    );
    return 0;
  },
});

const list = defineCommand({
  examples: [{ line: 'fn app list', does: 'lists the apps and whether they are installed', runs: true }],
  json: '{items: [{app, installed, builtIn, version, functions, settings, installedAt}]}',
  see,
  async run(context) {
    const { io } = context;
    const door = await context.door();
    const items = await everyPage((page) => door('apps.list', page, { signal: context.signal }));
    io.results({ items }, 'There is no app. Deploy yours: fn deploy', () => {
      const rows = items.map(({ app, installed, builtIn, version, functions }) => [
        app,
        installed ? 'installed' : 'not installed',
        builtIn ? 'built in' : (version ?? '–'),
        `${functions} ${functions === 1 ? 'function' : 'functions'}`,
      ]);
      return listing(io, [['APP', 'STATE', 'VERSION', ''], ...rows], [2]);
    });
  },
});

const uninstall = defineCommand({
  description:
    'Uninstalls an app: runs its Custom App Setup with the phase "uninstall", then its functions stop answering.',
  arguments: { name: { summary: 'Name of the app' } },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn app uninstall session-link-app', does: 'uninstalls it' }],
  json: '{app, installed, setup}',
  see,
  async run(context, { name: app, yes }) {
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Uninstall ${app} from ${target.slug}?`))) return 130;
    const gone = await target.door('apps.uninstall', { app }, { signal: context.signal }).catch((error) => {
      throw alreadyGone(error);
    });
    showLogs(context, gone.setup);
    context.io.result(gone, () => `Uninstalled: ${app}`);
    return 0;
  },
});

/** Removes the hint on installing the app, which is useless when uninstalling. */
function alreadyGone(error: unknown): unknown {
  if (!(error instanceof WorkspaceError) || error.code !== 'app_not_installed') return error;
  return new WorkspaceError(error.code, error.status, error.message, {
    ...error,
    hint: 'There is nothing to do. To see what is installed: fn app list',
    cause: error,
  });
}

function showLogs({ io }: Context, setup: { logs: readonly { level: string; text: string }[] } | null): void {
  for (const { level, text } of setup?.logs ?? []) io.err(logText(io, level, text));
}

/** `fn app …` */
export const commands = {
  install: { summary: 'Install an app in the workspace and run its setup', command: install },
  list: { summary: 'List the apps of the workspace', command: list },
  uninstall: { summary: 'Uninstall an app from the workspace', command: uninstall },
};
