import type { AnyCommand } from './command.ts';

/** Groups of `fn help`, in their order. */
export const groups = {
  daily: 'Every day',
  ship: 'The deployed side',
  messaging: 'Messages and links',
  workspace: 'The workspace',
  access: 'Access',
  around: 'Around it',
} as const;

export type Group = keyof typeof groups;

/** One row of the list: all that help and completion need, and where the rest is. */
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

/** Every command, once. Nothing is imported before it is run. */
export const commands: readonly Entry[] = [
  entry(
    'init',
    'daily',
    'Make a function, and the app around it where there is none',
    async () => (await import('./commands/init.ts')).command,
  ),
  entry(
    'dev',
    'daily',
    'Run the local workspace: every function live, reload on save',
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
    'Put the functions live in a workspace, all at once',
    async () => (await import('./commands/deploy.ts')).command,
  ),
  entry('logs', 'daily', 'Show what functions logged', async () => (await import('./commands/logs.ts')).command),
  entry('login', 'daily', 'Store access to a workspace', async () => (await import('./commands/login.ts')).command),
  entry(
    'doctor',
    'daily',
    'Check this machine and this app, and say what to do',
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
    'Put an older version live again',
    async () => (await import('./commands/rollback.ts')).command,
  ),
  entry(
    'pull',
    'ship',
    'Fetch the live functions into this folder',
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
    'Install an app in the workspace, running its setup',
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
    'Empty the local workspace and plant the seed again',
    async () => (await import('./commands/workspace.ts')).reset,
  ),
  entry(
    'workspace export',
    'workspace',
    'Write the local workspace as a seed',
    async () => (await import('./commands/workspace.ts')).save,
  ),
  entry(
    'workspace import',
    'workspace',
    'Plant a seed in the local workspace',
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
    'Turn the clock of the local workspace forward',
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
    'List what was added and booked',
    async () => (await import('./commands/pack.ts')).history,
  ),

  entry(
    'logout',
    'access',
    'Forget the access to a workspace',
    async () => (await import('./commands/logout.ts')).command,
  ),
  entry(
    'whoami',
    'access',
    'Show which workspace and token are used',
    async () => (await import('./commands/whoami.ts')).command,
  ),
  entry('profile list', 'access', 'List the profiles', async () => (await import('./commands/profile.ts')).list),
  entry('profile use', 'access', 'Use a profile from now on', async () => (await import('./commands/profile.ts')).use),
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
    'Show the commands, or everything about one',
    async () => (await import('./commands/help.ts')).command,
  ),
];
