import { resolve } from 'node:path';
import type { Input, Output } from '../../contract/index.ts';
import type { McpStdioServer } from '../../mcp/index.ts';
import { type McpLock, mcpLockFile, type Project, readMcpLock, writeMcpLock } from '../../project/index.ts';
import { everyPage, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { callTool } from '../functions/call-tool.ts';
import { AppToolProvider } from '../mcp/app-tools.ts';
import { type ChangedTool, describeChange, findChanges, type Tool } from '../mcp/changed-tools.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { readJsonObject } from '../values/read-json.ts';
import { confirmRemote, placeOf } from '../workspaces/confirm-remote.ts';

type Client = Output<'mcpClients.show'>;
type Auth = NonNullable<Input<'mcpClients.add'>['auth']>;

const see = ['mcp'] as const;
const client = { summary: 'Name or id of the MCP client' } as const;
const authOptions = {
  auth: {
    flag: '--auth <kind>',
    summary: 'How the server is told who connects; default: none',
    choices: ['none', 'basic', 'bearer'],
  },
  user: { flag: '--user <name>', summary: 'User, for --auth basic' },
  secretStdin: {
    flag: '--secret-stdin',
    summary: 'Read the password or token from standard input, without one trailing newline',
  },
} as const;

const add = defineCommand({
  description: `Adds an MCP client: a connection to an MCP server whose tools AI agents may use. It connects at once, over SSE or, if the server does not speak it, over streamable HTTP, and shows the tools. They are accepted as they are now; tools that are new or change later are withheld from models until you accept them.

fn prompts for the password or token, or reads it from standard input. It is never an argument, because other users can see arguments, and nothing shows it again.`,
  arguments: { name: { summary: 'Name: lower case letters, digits, dashes' } },
  options: {
    url: { flag: '--url <url>', summary: 'Endpoint of the server: https, or http on this machine' },
    ...authOptions,
    code: { flag: '--code', summary: 'Functions and API tokens may call its tools, too' },
  },
  examples: [
    { line: 'fn mcp add stock --url http://127.0.0.1:3001/sse', does: 'connects a server on this machine' },
    {
      line: 'fn mcp add crm --url https://crm.example/sse --auth bearer --secret-stdin < token.txt',
      does: 'connects with a token',
    },
  ],
  json: 'The client, with items: [{name, title, description, inputSchema, state, …}]',
  see,
  async run(context, { name, url, auth, user, secretStdin, code }) {
    const { io, signal } = context;
    if (url === undefined)
      throw new UsageError('value_missing', 'An MCP client needs the address of its server', {
        hint: `Give it: fn mcp add ${name} --url https://…`,
      });
    const given = await readAuth(context, { auth, user, secretStdin });
    const target = await context.target();
    const input: Input<'mcpClients.add'> = { name, url, ...(given && { auth: given }), ...(code && { code }) };
    const added = await target.door('mcpClients.add', input, { signal });
    if (!io.json) io.err(inLine(`Added: ${added.name} (${added.id})${placeOf(target)}`));
    // A failure is an error of its own: the client is there, and the next command tries again.
    const { items } = await target.door('mcpClients.tools', { id: added.id, refresh: true }, { signal });
    const shown = await target.door('mcpClients.show', { id: added.id }, { signal });
    io.result({ ...shown, items }, () => (items.length === 0 ? 'It has no tools.' : toolTable(context, items)));
    if (!io.json) warn(context, items);
  },
});

const list = defineCommand({
  description: 'Lists the MCP clients of the workspace with the state of their connection, never their secrets.',
  examples: [{ line: 'fn mcp list', does: 'lists them', runs: true }],
  json: '{items: [{id, name, url, auth, state, reason, transport, tools: {available, withheld}, …}]}',
  see,
  async run(context) {
    const { io, signal } = context;
    const door = await context.door();
    const items = await everyPage((page) => door('mcpClients.list', page, { signal }));
    io.results({ items }, 'There is no MCP client. Add one: fn mcp add NAME --url URL', () => {
      const rows = items.map((one) => [
        one.name,
        one.url,
        one.auth.kind,
        one.state,
        `${one.tools.available}${one.tools.withheld === 0 ? '' : ` (${one.tools.withheld} withheld)`}`,
        one.reason ?? '',
      ]);
      return listing(io, [['NAME', 'ENDPOINT', 'AUTH', 'STATE', 'TOOLS', ''], ...rows], [1, 5]);
    });
  },
});

const show = defineCommand({
  arguments: { name: client },
  examples: [{ line: 'fn mcp show stock', does: 'shows it as JSON' }],
  json: 'The client: {id, name, url, auth, code, state, reason, transport, protocolVersion, server, tools, …}',
  see,
  async run(context, { name }) {
    const door = await context.door();
    const shown = await door('mcpClients.show', { id: name }, { signal: context.signal });
    context.io.result(shown, () => JSON.stringify(shown, null, 2));
  },
});

const update = defineCommand({
  description: 'Changes an MCP client. Another endpoint or another authentication closes its connection.',
  arguments: { name: client },
  options: {
    rename: { flag: '--rename <name>', summary: 'Another name' },
    url: { flag: '--url <url>', summary: 'Another endpoint' },
    ...authOptions,
    code: { flag: '--code', summary: 'Functions and API tokens may call its tools' },
    withoutCode: { flag: '--without-code', summary: 'They may not' },
    tools: {
      flag: '--tools <json>',
      summary: 'By tool: {"NAME": {"confirm": "human", "limits": {"perMinute": 5}, "log": "none"}}, or @file',
    },
  },
  examples: [
    { line: 'fn mcp update crm --auth bearer --secret-stdin < token.txt', does: 'replaces the token' },
    { line: `fn mcp update stock --tools '{"reserve":{"confirm":"human"}}'`, does: 'has a person confirm each call' },
  ],
  json: 'The client',
  see,
  async run(context, { name, rename, url, auth, user, secretStdin, code, withoutCode, tools }) {
    const { signal } = context;
    const target = await context.target();
    const known =
      auth === undefined && (secretStdin || user !== undefined) ? await showClient(context, name) : undefined;
    const given = await readAuth(context, {
      auth: auth ?? known?.auth.kind,
      user: user ?? known?.auth.user ?? undefined,
      secretStdin,
    });
    const policies =
      tools === undefined
        ? undefined
        : await readJsonObject(context, tools, '--tools', '{"reserve":{"confirm":"human"}}');
    const updated = await target.door(
      'mcpClients.update',
      {
        id: name,
        ...(rename !== undefined && { name: rename }),
        ...(url !== undefined && { url }),
        ...(given && { auth: given }),
        ...((code || withoutCode) && { code }),
        ...(policies && { tools: policies as NonNullable<Input<'mcpClients.update'>['tools']> }),
      },
      { signal },
    );
    context.io.result(updated, () => inLine(`Updated: ${updated.name}${placeOf(target)}`));
  },
});

const tools = defineCommand({
  description:
    'Lists the tools of an MCP client, as the server lists them now. A tool that is withheld is not offered to models and cannot be called until it is accepted.',
  arguments: { name: client },
  options: { withheld: { flag: '--withheld', summary: 'Only those that are withheld' } },
  examples: [{ line: 'fn mcp tools stock', does: 'lists its tools' }],
  json: '{items: [{name, title, description, inputSchema, state: available|withheld, reason, hash, warnings, …}]}',
  see,
  async run(context, { name, withheld }) {
    const { io, signal } = context;
    const door = await context.door();
    const { items: all } = await door('mcpClients.tools', { id: name, refresh: true }, { signal });
    const items = withheld ? all.filter(({ state }) => state === 'withheld') : all;
    io.results({ items }, withheld ? 'No tool is withheld' : `${name} has no tools`, () => toolTable(context, items));
    if (!io.json) warn(context, items);
  },
});

const call = defineCommand({
  description:
    'Calls a tool of an MCP client and prints its result. If somebody has to confirm the call, fn asks on a terminal; elsewhere it says how to answer, and the same call made again gives the result.',
  arguments: { name: client, tool: { summary: 'Name of the tool' } },
  options: { data: { flag: '-d, --data <json>', summary: 'Arguments as JSON, @file, or @- for standard input' } },
  examples: [{ line: `fn mcp call stock available -d '{"sku":"A-17"}'`, does: 'calls it with arguments' }],
  json: '{status: ok|error, callId, result?, error?: {code, message, retryable}, confirmationId?}; exit code 5 if the tool failed, 1 if the call was refused, 6 at a limit, 8 if nobody knows whether it was done',
  see,
  async run(context, { name, tool, data }) {
    const { signal } = context;
    const args = data === undefined ? {} : await readJsonObject(context, data, '--data', '{"sku":"A-17"}');
    const door = await context.door();
    return await callTool(
      context,
      door,
      () => door('mcpClients.call', { id: name, tool, arguments: args as never }, { signal }),
      (result) => (typeof result === 'string' ? result : JSON.stringify(result ?? null, null, 2)),
    );
  },
});

const check = defineCommand({
  description:
    'Connects to an MCP server, lists its tools, and reports what is wrong with them: schemas that cannot be used, texts that are suspicious. Changes nothing. Exit code 3 if something is wrong.',
  arguments: { server: { summary: 'Name of an MCP client, or the address of any server' } },
  options: authOptions,
  examples: [{ line: 'fn mcp check http://127.0.0.1:3001/sse', does: 'tries a server before adding it' }],
  json: '{ok, transport, protocolVersion, server, tools, problems: [{code, tool, message, fix, level}]}',
  see,
  async run(context, { server, auth, user, secretStdin }) {
    const { io, signal } = context;
    const isAddress = /^https?:/i.test(server);
    const given = await readAuth(context, { auth, user, secretStdin });
    if (!isAddress && given !== undefined) {
      throw new UsageError('flags_contradict', 'An MCP client has its own authentication', {
        hint: `Change it: fn mcp update ${server} --auth ${given.kind}`,
      });
    }
    const door = await context.door();
    const input = isAddress ? { url: server, ...(given && { auth: given }) } : { id: server };
    const report = await door('mcpClients.check', input, { signal });
    io.result(report, () =>
      [
        ...(report.server === null
          ? []
          : [
              inLine(
                `${report.server.name} ${report.server.version}: ${report.tools} tools, ${report.transport}, MCP ${report.protocolVersion}`,
              ),
            ]),
        ...report.problems.map(({ level, tool, message, fix }) =>
          inLine(`${level}: ${tool === null ? '' : `${tool}: `}${message}. ${fix}`),
        ),
      ].join('\n'),
    );
    return report.ok ? 0 : 3;
  },
});

const lock = defineCommand({
  description: `Writes ${mcpLockFile} into the app: the hash of each accepted tool of each MCP client. Commit it: "fn dev" applies it at start, and "fn mcp diff --exit-code" compares the servers with it in CI.`,
  examples: [{ line: 'fn mcp lock', does: `writes ${mcpLockFile}`, runs: true }],
  json: '{file, clients: {NAME: {url, tools: {NAME: hash}}}}',
  see,
  async run(context) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const door = await context.door();
    const all = await everyPage((page) => door('mcpClients.list', page, { signal }));
    const entries = await Promise.all(
      all.map(async ({ name, url }) => {
        const { items, gone } = await door('mcpClients.tools', { id: name }, { signal });
        return [name, { url, tools: acceptedHashes(items, gone) }] as const;
      }),
    );
    const clients: McpLock = Object.fromEntries(entries);
    writeMcpLock(project, clients);
    const count = entries.reduce((sum, [, { tools: hashes }]) => sum + Object.keys(hashes).length, 0);
    io.result({ file: mcpLockFile, clients }, () => `${mcpLockFile}: ${entries.length} clients, ${count} tools`);
  },
});

const diff = defineCommand({
  description: `Asks the servers for their tools and shows how they differ from what was accepted: from ${mcpLockFile} where the app has one, otherwise from what the workspace has accepted.`,
  arguments: { name: { summary: 'Name of an MCP client; default: all', optional: true } },
  options: { exitCode: { flag: '--exit-code', summary: 'Exit with 3 if something differs' } },
  examples: [{ line: 'fn mcp diff --exit-code', does: 'fails in CI if a server has changed its tools', runs: true }],
  json: '{changes: [{client, tool, change: new|changed|gone, hash, acceptedHash, now, accepted}]}',
  see,
  async run(context, { name, exitCode }) {
    const { io, signal } = context;
    const project = await context.project();
    const locked = project && (await readMcpLock(project));
    const door = await context.door();
    const names =
      name === undefined
        ? (await everyPage((page) => door('mcpClients.list', page, { signal }))).map((one) => one.name)
        : [name];
    const changes: ChangedTool[] = [];
    for (const one of names) {
      const { items, gone } = await door('mcpClients.tools', { id: one, refresh: true }, { signal });
      changes.push(...findChanges(one, items, locked?.[one]?.tools ?? acceptedHashes(items, gone)));
    }
    io.result({ changes }, () => (changes.length === 0 ? undefined : changes.flatMap(describeChange).join('\n')));
    if (changes.length === 0 && !io.json) io.err('Nothing differs from what was accepted');
    return changes.length > 0 && exitCode ? 3 : 0;
  },
});

const accept = defineCommand({
  description:
    'Accepts tools of an MCP client as they are now, so that models are offered them. Without a tool, all of them. Shows what has changed first, and asks on a terminal.',
  arguments: {
    name: client,
    tool: { summary: 'Name of a tool', optional: true, many: true },
  },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn mcp accept stock reserve', does: 'accepts one tool as it is now' }],
  json: '{accepted: [name], client}',
  see,
  async run(context, { name, tool, yes }) {
    const { io, signal } = context;
    const target = await context.target();
    const { items, gone } = await target.door('mcpClients.tools', { id: name, refresh: true }, { signal });
    const changes = findChanges(name, items, acceptedHashes(items, gone));
    const meant = tool?.length ? changes.filter((one) => tool.includes(one.tool)) : changes;
    if (!io.json) for (const line of meant.flatMap(describeChange)) io.err(line);
    const isAsked = !yes && meant.length > 0 && context.ask.possible;
    if (isAsked && !(await context.ask.confirm({ message: `Accept this of ${name}?`, flag: '--yes' }))) return 130;
    // By hash: what changes between being shown and being accepted is not accepted.
    const hashes = Object.fromEntries(
      (tool?.length ? tool : items.map((one) => one.name)).map((one) => [one, hashOf(name, items, one)]),
    );
    const answer = await target.door('mcpClients.accept', { id: name, tools: hashes }, { signal });
    io.result(answer, () =>
      answer.accepted.length === 0 ? 'Nothing was withheld' : inLine(`Accepted: ${answer.accepted.join(', ')}`),
    );
    const project = await context.project();
    const locked = project && (await readMcpLock(project))?.[name];
    if (locked && Object.entries(hashes).some(([one, hash]) => locked.tools[one] !== hash))
      io.err(`${mcpLockFile} says otherwise, and "fn dev" applies it at start. Write it anew: fn mcp lock`);
    return 0;
  },
});

const remove = defineCommand({
  description: 'Removes an MCP client with its secret and the tools accepted from it.',
  arguments: { name: client },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn mcp remove stock', does: 'removes it' }],
  json: '{removed: name}',
  see,
  async run(context, { name, yes }) {
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Remove the MCP client ${name} of ${target.slug}?`))) return 130;
    await target.door('mcpClients.remove', { id: name }, { signal: context.signal });
    context.io.result({ removed: name }, () => inLine(`Removed: ${name}`));
    return 0;
  },
});

const serve = defineCommand({
  description: `Serves the AI Tools of this app to an MCP host on this machine, such as a desktop app or an editor, over standard input and output. Only tools with permissions.callers.mcp are served, and each call goes through the same checks and into the same log as any other.

The tools are those of a running "fn dev"; without one, the workspace is opened for each call. "fn dev" also serves them over HTTP at /mcp, with an API token.`,
  options: {
    stdio: { flag: '--stdio', summary: 'Speak the protocol on standard input and output' },
    printConfig: { flag: '--print-config', summary: 'Print the configuration that MCP hosts expect, for this app' },
  },
  examples: [
    { line: 'fn mcp serve --print-config', does: 'prints what to put into the configuration of a host', runs: true },
  ],
  json: 'With --print-config: {mcpServers: {APP: {command, args}}}',
  see,
  async run(context, { stdio, printConfig }) {
    const project = await context.requireProject();
    if (printConfig) {
      const args = [resolve(process.argv[1] ?? ''), '-C', project.root, 'mcp', 'serve', '--stdio'];
      const config = { mcpServers: { [project.app]: { command: process.execPath, args } } };
      context.io.result(config, () => JSON.stringify(config, null, 2));
      return;
    }
    if (!stdio) {
      throw new UsageError('value_missing', 'An MCP host needs --stdio', {
        hint: 'See what to tell it: fn mcp serve --print-config. Over HTTP, fn dev serves the tools at /mcp.',
      });
    }
    await serveStdio(context, project);
  },
});

/** Serves until the host closes standard input, or Ctrl-C. */
async function serveStdio(context: Context, project: Project): Promise<void> {
  const [{ openMcpStdio }, { watchApp }] = await Promise.all([
    import('../../mcp/index.ts'),
    import('../../bundle/index.ts'),
  ]);
  let serving: McpStdioServer | undefined;
  const toolsChanged = () => serving?.toolsChanged();
  const provider = new AppToolProvider(context, project, toolsChanged);
  serving = await openMcpStdio(provider, context.version);
  const watching = await watchApp(project.root, toolsChanged, (problem) => context.io.err(problem.message));
  context.onEnd(async () => {
    await watching.close();
    await serving?.close();
    await provider.close();
  });
  const stopped = new Promise<void>((end) => context.signal.addEventListener('abort', () => end(), { once: true }));
  await Promise.race([serving.ended, stopped]);
}

async function showClient(context: Context, name: string): Promise<Client> {
  return await (await context.door())('mcpClients.show', { id: name }, { signal: context.signal });
}

/** The authentication that flags ask for; undefined if they ask for none. */
async function readAuth(
  context: Context,
  given: { readonly auth?: string | undefined; readonly user?: string | undefined; readonly secretStdin: boolean },
): Promise<Auth | undefined> {
  const { auth = given.user === undefined ? undefined : 'basic', user, secretStdin } = given;
  if (auth === undefined && !secretStdin) return undefined;
  if (auth === undefined || (auth === 'none' && (secretStdin || user !== undefined))) {
    throw new UsageError('flags_contradict', 'A secret or a user belongs to --auth basic or --auth bearer', {
      hint: 'Say which of them the server wants.',
    });
  }
  if (auth === 'none') return { kind: 'none' };
  if (auth === 'basic' && user === undefined)
    throw new UsageError('value_missing', '--auth basic needs a user', { hint: 'Give it: --user NAME' });
  const what = auth === 'basic' ? 'Password' : 'Token';
  const secret = secretStdin
    ? (await context.stdin(20_000)).replace(/\r?\n$/, '')
    : await context.ask.secret({ message: `${what}:`, flag: '--secret-stdin' });
  if (secret === '') throw new UsageError('secret_empty', `The ${what.toLowerCase()} is empty`, { hint: 'Give one.' });
  return auth === 'basic' ? { kind: 'basic', user: user ?? '', secret } : { kind: 'bearer', secret };
}

function toolTable({ io }: Context, items: readonly Tool[]): string {
  const rows = items.map(({ name, title, description, state, reason }) => [
    name,
    state === 'withheld' ? `withheld: ${reason}` : '',
    (title ?? description.split('\n')[0] ?? '').slice(0, 200),
  ]);
  const isAnyWithheld = rows.some(([, state]) => state !== '');
  const shown = isAnyWithheld ? rows : rows.map(([name = '', , about = '']) => [name, about]);
  return listing(
    io,
    [isAnyWithheld ? ['TOOL', 'STATE', 'ABOUT'] : ['TOOL', 'ABOUT'], ...shown],
    [isAnyWithheld ? 2 : 1],
  );
}

function warn({ io }: Context, items: readonly Tool[]): void {
  for (const { name, problem, warnings } of items) {
    if (problem !== null) io.err(inLine(`${name} cannot be used: ${problem}`));
    for (const warning of warnings) io.err(inLine(`${name}: ${warning}`));
  }
}

function acceptedHashes(items: readonly Tool[], gone: Readonly<Record<string, string>>): Record<string, string> {
  const listed = items.flatMap(({ name, acceptedHash }) => (acceptedHash === null ? [] : [[name, acceptedHash]]));
  return { ...Object.fromEntries(listed), ...gone };
}

function hashOf(client: string, items: readonly Tool[], name: string): string {
  const found = items.find((one) => one.name === name);
  if (found) return found.hash;
  throw new UsageError('mcp_tool_unknown', `${client} lists no tool ${name}`, { hint: `See: fn mcp tools ${client}` });
}

/** `fn mcp …` */
export const commands = {
  add: { summary: 'Connect an MCP server, and accept its tools', command: add },
  list: { summary: 'List the MCP clients', command: list },
  show: { summary: 'Show an MCP client', command: show },
  update: { summary: 'Change an MCP client, or what its tools may do', command: update },
  tools: { summary: 'List the tools of an MCP client', command: tools },
  call: { summary: 'Call a tool of an MCP client', command: call },
  check: { summary: 'Try an MCP server, and look for what is wrong with it', command: check },
  lock: { summary: `Write ${mcpLockFile}: the tools that are accepted`, command: lock },
  diff: { summary: 'Show which tools differ from what was accepted', command: diff },
  accept: { summary: 'Accept tools that are new or have changed', command: accept },
  remove: { summary: 'Remove an MCP client', command: remove },
  serve: { summary: 'Serve the AI Tools of the app to an MCP host', command: serve },
};
