import type { AnyCommand } from './command.ts';

/** Headings of `fn help`, in order. */
export const headings = {
  daily: 'Common',
  ship: 'Deployment',
  messaging: 'Messages and links',
  agents: 'AI agents',
  workspace: 'The workspace',
  access: 'Access',
  around: 'More',
} as const;

export type Heading = keyof typeof headings;

/** A command of one word. `fn help` shows its summary without loading it. */
export interface CommandRow {
  readonly word: string;
  readonly heading: Heading;
  /** One line, imperative, no full stop. */
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

/** Commands of two words that share the first and are in one file: `fn secret set`, `fn secret list`, … */
export interface GroupRow {
  readonly word: string;
  readonly heading: Heading;
  /** The second words, in the order of help. */
  readonly verbs: readonly string[];
  readonly load: () => Promise<GroupMembers>;
}

/** What the file of a group exports as `commands`: verb → its one-line summary and its command. */
type GroupMembers<Verb extends string = string> = Readonly<
  Record<Verb, { readonly summary: string; readonly command: AnyCommand }>
>;

/** All of `fn`: a line for each command of one word and for each group. Nothing is imported before it is needed. */
export const rows: readonly (CommandRow | GroupRow)[] = [
  command('daily', 'init', 'Create a function, and an app if there is none yet', () => import('./commands/init.ts')),
  command('daily', 'dev', 'Run the local workspace, with live reload', () => import('./commands/dev.ts')),
  command('daily', 'invoke', 'Run one function once', () => import('./commands/invoke.ts')),
  command('daily', 'test', 'Run the tests of the app', () => import('./commands/test.ts')),
  command('daily', 'list', 'List the functions of the app', () => import('./commands/list.ts')),
  command('daily', 'build', 'Bundle every function and load it once', () => import('./commands/build.ts')),
  command('daily', 'deploy', 'Deploy the functions to a workspace, all at once', () => import('./commands/deploy.ts')),
  command('daily', 'logs', 'Show what functions logged', () => import('./commands/logs.ts')),
  command('daily', 'login', 'Log in to a workspace', () => import('./commands/login.ts')),
  command('daily', 'doctor', 'Check this machine and the app for problems', () => import('./commands/doctor.ts')),

  command('ship', 'diff', 'Show what a deploy would change', () => import('./commands/diff.ts')),
  command('ship', 'status', 'Show what is live, and whether it drifted', () => import('./commands/status.ts')),
  command('ship', 'versions', 'List the deployments of the app', () => import('./commands/versions.ts')),
  command('ship', 'rollback', 'Make an older version live again', () => import('./commands/rollback.ts')),
  command('ship', 'pull', 'Download the live functions into this folder', () => import('./commands/pull.ts')),
  group('ship', 'secret', 'set list delete', () => import('./commands/secret.ts')),
  group('ship', 'var', 'set list delete', () => import('./commands/var.ts')),
  group('ship', 'app', 'install list uninstall', () => import('./commands/app.ts')),

  command(
    'messaging',
    'chat',
    'Talk with the workspace as a customer, or at the desk',
    () => import('./commands/chat.ts'),
  ),
  group('messaging', 'template', 'send list show upload', () => import('./commands/template.ts')),
  command('messaging', 'link', 'Get the direct link to a customer’s conversation', () => import('./commands/link.ts')),

  group('agents', 'agent', 'list show check prices', () => import('./commands/agent.ts')),
  group('agents', 'agent-run', 'create show list cancel answer rerun', () => import('./commands/agent-run.ts')),
  group(
    'agents',
    'harness',
    'add list show update remove rotate check mock init',
    () => import('./commands/harness.ts'),
  ),

  group('workspace', 'workspace', 'reset export import adopt', () => import('./commands/workspace.ts')),
  group('workspace', 'clock', 'show set advance', () => import('./commands/clock.ts')),
  group('workspace', 'channel', 'list connect disconnect', () => import('./commands/channel.ts')),
  group('workspace', 'event', 'list show tail', () => import('./commands/event.ts')),
  group(
    'workspace',
    'webhook',
    'listen trigger events verify deliveries resend add list show update ping recover rotate remove',
    () => import('./commands/webhook.ts'),
  ),
  command('workspace', 'trace', 'Show what led to something, and what it led to', () => import('./commands/trace.ts')),
  group('workspace', 'flow', 'list show check run runs rerun draw disable enable', () => import('./commands/flow.ts')),
  group('workspace', 'tool', 'list show call logs fuzz', () => import('./commands/tool.ts')),
  group('workspace', 'confirmation', 'list show allow deny', () => import('./commands/confirmation.ts')),
  group('workspace', 'job', 'list show cancel', () => import('./commands/job.ts')),
  group(
    'workspace',
    'mcp',
    'add list show update tools call check lock diff accept remove serve',
    () => import('./commands/mcp.ts'),
  ),
  group('workspace', 'cron', 'list next run', () => import('./commands/cron.ts')),
  group('workspace', 'pack', 'list add use history', () => import('./commands/pack.ts')),

  command('access', 'logout', 'Log out of a workspace', () => import('./commands/logout.ts')),
  command('access', 'whoami', 'Show the workspace and token in use', () => import('./commands/whoami.ts')),
  group('access', 'profile', 'list use set remove', () => import('./commands/profile.ts')),
  group('access', 'token', 'create list revoke', () => import('./commands/token.ts')),
  command('access', 'trust', 'Trust the code of an app outside the sandbox', () => import('./commands/trust.ts')),

  command('around', 'api', 'Call any operation or path of the workspace', () => import('./commands/api.ts')),
  command('around', 'open', 'Open the console in the browser', () => import('./commands/open.ts')),
  command('around', 'docs', 'Read the guide and the reference in the terminal', () => import('./commands/docs.ts')),
  command('around', 'completion', 'Print completion for bash, zsh or fish', () => import('./commands/completion.ts')),
  command('around', 'help', 'Show all commands, or details of one', () => import('./commands/help.ts')),
];

function command(
  heading: Heading,
  word: string,
  summary: string,
  load: () => Promise<{ readonly command: AnyCommand }>,
): CommandRow {
  return { word, heading, summary, load: async () => (await load()).command };
}

/** @param verbs separated by spaces; the file has to export a command for each of them */
function group<const Verbs extends string>(
  heading: Heading,
  word: string,
  verbs: Verbs,
  load: () => Promise<{ readonly commands: GroupMembers<WordOf<Verbs>> }>,
): GroupRow {
  return { word, heading, verbs: verbs.split(' '), load: async () => (await load()).commands };
}

type WordOf<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | WordOf<Rest> : Text;

/** A command with all its words. */
export interface Entry {
  /** The words after `fn`. */
  readonly name: string;
  readonly heading: Heading;
  readonly summary: string;
  readonly command: AnyCommand;
}

/** The commands of a group. Loads its file. */
export async function commandsOf(row: GroupRow): Promise<Entry[]> {
  const { word, heading } = row;
  return Object.entries(await row.load()).map(([verb, member]) => ({ name: `${word} ${verb}`, heading, ...member }));
}

/** Every command. Loads every file of `commands/`. */
export async function allCommands(): Promise<Entry[]> {
  const entries = rows.map(async (row): Promise<Entry[]> => {
    if ('verbs' in row) return await commandsOf(row);
    const { word: name, heading, summary } = row;
    return [{ name, heading, summary, command: await row.load() }];
  });
  return (await Promise.all(entries)).flat();
}
