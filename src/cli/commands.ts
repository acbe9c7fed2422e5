import type { AnyCommand } from './command.ts';

/** Groups of `fn help`, in order. */
export const groups = {
  daily: 'Common',
  ship: 'Deployment',
  messaging: 'Messages and links',
  workspace: 'The workspace',
  access: 'Access',
  around: 'More',
} as const;

export type Group = keyof typeof groups;

/** One row of the list: what help and completion need, and how to load the command. */
export interface Entry {
  /** The words after `fn`. */
  readonly name: string;
  readonly group: Group;
  /** One line, imperative, no full stop. */
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

const entry = (name: string, group: Group, summary: string, load: Entry['load']): Entry => ({
  name,
  group,
  summary,
  load,
});

/** All commands. Nothing is imported before a command runs. */
export const commands: readonly Entry[] = [
  entry(
    'init',
    'daily',
    'Create a function, and an app if there is none yet',
    async () => (await import('./commands/init.ts')).command,
  ),
  entry(
    'dev',
    'daily',
    'Run the local workspace, with live reload',
    async () => (await import('./commands/dev.ts')).command,
  ),
  entry('invoke', 'daily', 'Run one function once', async () => (await import('./commands/invoke.ts')).command),
  entry('test', 'daily', 'Run the tests of the app', async () => (await import('./commands/test.ts')).command),
  entry('list', 'daily', 'List the functions of the app', async () => (await import('./commands/list.ts')).command),
  entry(
    'build',
    'daily',
    'Bundle every function and load it once',
    async () => (await import('./commands/build.ts')).command,
  ),
  entry(
    'deploy',
    'daily',
    'Deploy the functions to a workspace, all at once',
    async () => (await import('./commands/deploy.ts')).command,
  ),
  entry('logs', 'daily', 'Show what functions logged', async () => (await import('./commands/logs.ts')).command),
  entry('login', 'daily', 'Log in to a workspace', async () => (await import('./commands/login.ts')).command),
  entry(
    'doctor',
    'daily',
    'Check this machine and the app for problems',
    async () => (await import('./commands/doctor.ts')).command,
  ),

  entry('diff', 'ship', 'Show what a deploy would change', async () => (await import('./commands/diff.ts')).command),
  entry(
    'status',
    'ship',
    'Show what is live, and whether it drifted',
    async () => (await import('./commands/status.ts')).command,
  ),
  entry(
    'versions',
    'ship',
    'List the deployments of the app',
    async () => (await import('./commands/versions.ts')).command,
  ),
  entry(
    'rollback',
    'ship',
    'Make an older version live again',
    async () => (await import('./commands/rollback.ts')).command,
  ),
  entry(
    'pull',
    'ship',
    'Download the live functions into this folder',
    async () => (await import('./commands/pull.ts')).command,
  ),
  entry('secret set', 'ship', 'Set a secret of the app', async () => (await import('./commands/secret.ts')).set),
  entry(
    'secret list',
    'ship',
    'List the names of the app’s secrets',
    async () => (await import('./commands/secret.ts')).list,
  ),
  entry(
    'secret delete',
    'ship',
    'Delete a secret of the app',
    async () => (await import('./commands/secret.ts')).remove,
  ),
  entry('var set', 'ship', 'Set a variable of the app', async () => (await import('./commands/var.ts')).set),
  entry('var list', 'ship', 'List the variables of the app', async () => (await import('./commands/var.ts')).list),
  entry('var delete', 'ship', 'Delete a variable of the app', async () => (await import('./commands/var.ts')).remove),
  entry(
    'app install',
    'ship',
    'Install an app in the workspace and run its setup',
    async () => (await import('./commands/app.ts')).install,
  ),
  entry('app list', 'ship', 'List the apps of the workspace', async () => (await import('./commands/app.ts')).list),
  entry(
    'app uninstall',
    'ship',
    'Uninstall an app from the workspace',
    async () => (await import('./commands/app.ts')).uninstall,
  ),

  entry(
    'template send',
    'messaging',
    'Send an approved message template',
    async () => (await import('./commands/send-template.ts')).command,
  ),
  entry(
    'template list',
    'messaging',
    'List the approved message templates',
    async () => (await import('./commands/template.ts')).list,
  ),
  entry(
    'template show',
    'messaging',
    'Show a message template, or an example body for it',
    async () => (await import('./commands/template.ts')).show,
  ),
  entry(
    'template upload',
    'messaging',
    'Upload media for a template header',
    async () => (await import('./commands/template.ts')).upload,
  ),
  entry(
    'link',
    'messaging',
    'Get the direct link to a customer’s conversation',
    async () => (await import('./commands/link.ts')).command,
  ),

  entry(
    'workspace reset',
    'workspace',
    'Empty the local workspace and load the seed again',
    async () => (await import('./commands/workspace.ts')).reset,
  ),
  entry(
    'workspace export',
    'workspace',
    'Export the local workspace as a seed',
    async () => (await import('./commands/workspace.ts')).save,
  ),
  entry(
    'workspace import',
    'workspace',
    'Add a seed to the local workspace',
    async () => (await import('./commands/workspace.ts')).load,
  ),
  entry(
    'clock show',
    'workspace',
    'Show the clock of the local workspace',
    async () => (await import('./commands/clock.ts')).show,
  ),
  entry(
    'clock set',
    'workspace',
    'Set the clock of the local workspace',
    async () => (await import('./commands/clock.ts')).set,
  ),
  entry(
    'clock advance',
    'workspace',
    'Move the clock of the local workspace forward',
    async () => (await import('./commands/clock.ts')).advance,
  ),
  entry('channel list', 'workspace', 'List the channels', async () => (await import('./commands/channel.ts')).list),
  entry(
    'channel connect',
    'workspace',
    'Connect a channel',
    async () => (await import('./commands/channel.ts')).connect,
  ),
  entry(
    'channel disconnect',
    'workspace',
    'Disconnect a channel; its conversations stay',
    async () => (await import('./commands/channel.ts')).disconnect,
  ),
  entry(
    'cron list',
    'workspace',
    'List the cron jobs and when they run next',
    async () => (await import('./commands/cron.ts')).list,
  ),
  entry(
    'cron next',
    'workspace',
    'Show the next times a cron job will run',
    async () => (await import('./commands/cron.ts')).next,
  ),
  entry('cron run', 'workspace', 'Run a cron job now', async () => (await import('./commands/cron.ts')).run),
  entry(
    'pack list',
    'workspace',
    'List the Development Packs and the days left',
    async () => (await import('./commands/pack.ts')).list,
  ),
  entry('pack add', 'workspace', 'Add a Development Pack', async () => (await import('./commands/pack.ts')).add),
  entry(
    'pack use',
    'workspace',
    'Book days of Development Packs',
    async () => (await import('./commands/pack.ts')).use,
  ),
  entry(
    'pack history',
    'workspace',
    'List added packs and booked days',
    async () => (await import('./commands/pack.ts')).history,
  ),

  entry('logout', 'access', 'Log out of a workspace', async () => (await import('./commands/logout.ts')).command),
  entry(
    'whoami',
    'access',
    'Show the workspace and token in use',
    async () => (await import('./commands/whoami.ts')).command,
  ),
  entry('profile list', 'access', 'List the profiles', async () => (await import('./commands/profile.ts')).list),
  entry('profile use', 'access', 'Switch to a profile', async () => (await import('./commands/profile.ts')).use),
  entry(
    'profile set',
    'access',
    'Change a setting of a profile',
    async () => (await import('./commands/profile.ts')).set,
  ),
  entry(
    'profile remove',
    'access',
    'Remove a profile and its token',
    async () => (await import('./commands/profile.ts')).remove,
  ),
  entry(
    'token create',
    'access',
    'Create an API token; its value is shown once',
    async () => (await import('./commands/token.ts')).create,
  ),
  entry('token list', 'access', 'List the API tokens', async () => (await import('./commands/token.ts')).list),
  entry(
    'token revoke',
    'access',
    'Revoke an API token at once',
    async () => (await import('./commands/token.ts')).revoke,
  ),

  entry(
    'api',
    'around',
    'Call any operation or path of the workspace',
    async () => (await import('./commands/api.ts')).command,
  ),
  entry(
    'open',
    'around',
    'Open the console or a conversation in the browser',
    async () => (await import('./commands/open.ts')).command,
  ),
  entry(
    'docs',
    'around',
    'Read the guide and the reference in the terminal',
    async () => (await import('./commands/docs.ts')).command,
  ),
  entry(
    'completion',
    'around',
    'Print completion for bash, zsh or fish',
    async () => (await import('./commands/completion.ts')).command,
  ),
  entry(
    'help',
    'around',
    'Show all commands, or details of one',
    async () => (await import('./commands/help.ts')).command,
  ),
];
