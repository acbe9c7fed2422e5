import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import type { CheckServerOptions, ScenarioResult } from '../../agent/index.ts';
import { harnessKinds, type Input, modelProviders, type Output } from '../../contract/index.ts';
import { everyPage, isRecord, messageOf, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import type { MockTool } from '../harness-mock/play.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { confirmRemote } from '../workspaces/confirm-remote.ts';

type Harness = Output<'harnesses.show'>;

const see = ['harnesses'] as const;
const named = { name: { summary: 'Name of the harness' } } as const;

const described = {
  baseUrl: { flag: '--base-url <url>', summary: 'Address of the models’ API, if it is not the usual one' },
  endpoint: { flag: '--endpoint <url>', summary: 'For custom: where your agent server answers' },
  module: { flag: '--module <file>', summary: 'For agent-framework: the file of the app that exports the agent' },
  provider: {
    flag: '--provider <provider>',
    summary: 'For builtin and openai-agents-sdk: how models are spoken to',
    choices: modelProviders,
  },
  model: { flag: '-m, --model <name>', summary: 'Main model, for agents that name none' },
  fallbackModel: { flag: '--fallback-model <name>', summary: 'Model that answers when the main one cannot' },
  fastModel: { flag: '--fast-model <name>', summary: 'Model for what is asked often and is simple' },
  secretStdin: {
    flag: '--secret-stdin',
    summary: 'Read the key, or the signing secret of custom, from standard input',
  },
  requireSignedReplies: { flag: '--require-signed-replies', summary: 'For custom: refuse replies without a signature' },
} as const;

interface Described {
  readonly baseUrl: string | undefined;
  readonly endpoint: string | undefined;
  readonly module: string | undefined;
  readonly provider: (typeof modelProviders)[number] | undefined;
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly fastModel: string | undefined;
  readonly requireSignedReplies: boolean;
}

const add = defineCommand({
  description: `Registers an AI harness: who runs the loop of an AI agent. The kind builtin asks a model itself; custom is a server of your own, built with any framework. Every workspace has the harness builtin, which needs no key: it speaks by scripts, agents/NAME.model.json.

A key is read from standard input, never from the command line, because other users can see that. For custom a signing secret is made and shown once.`,
  arguments: { name: { summary: 'Name: lower case letters, digits, dashes' } },
  options: {
    kind: { flag: '-k, --kind <kind>', summary: 'Kind of the harness', choices: harnessKinds },
    ...described,
    signs: { flag: '--no-secret', summary: 'For custom: requests are not signed' },
  },
  examples: [
    {
      line: 'pass show openai | fn harness add main --kind builtin --provider openai --model gpt-5-mini --secret-stdin',
      does: 'registers models with a key',
    },
    {
      line: 'fn harness add local --kind builtin --provider openai-compatible --base-url http://127.0.0.1:11434/v1 --model qwen3',
      does: 'registers models on this machine, without a key',
      runs: true,
    },
    {
      line: 'fn harness add mine --kind custom --endpoint http://127.0.0.1:4800/agent',
      does: 'registers your own server, and shows its signing secret once',
      runs: true,
    },
  ],
  json: 'The harness, with {secret}: shown once, if it was made',
  see,
  async run(context, { name, kind, secretStdin, signs, ...given }) {
    const { io, signal } = context;
    if (kind === undefined) {
      throw new UsageError('kind_missing', 'Name the kind of the harness with --kind', {
        hint: `One of ${harnessKinds.join(', ')}.`,
      });
    }
    const isCustom = kind === 'custom';
    const value = secretStdin ? await secretOf(context) : undefined;
    const input: Input<'harnesses.add'> = {
      name,
      kind,
      ...describedBy(given),
      ...(value !== undefined && (isCustom ? { secret: value } : { apiKey: value })),
      ...(isCustom && !signs && { unsigned: true }),
    };
    const harness = await (await context.door())('harnesses.add', input, { signal });
    io.result(harness, () => `Added: ${inLine(harness.name)} (${harness.kind}, ${harness.id})`);
    if (harness.note !== null && !io.json) io.err(`The kind ${harness.kind} is ${harness.note}.`);
    if (io.json || harness.secret === null) return;
    io.out(harness.secret);
    io.err('The signing secret is shown only now: your server verifies requests with it.');
  },
});

const list = defineCommand({
  description: 'Lists the AI harnesses of the workspace, never their keys and secrets.',
  examples: [{ line: 'fn harness list', does: 'lists them', runs: true }],
  json: '{items: [harness]}',
  see,
  async run(context) {
    const { io, signal } = context;
    const door = await context.door();
    const items = await everyPage((page) => door('harnesses.list', page, { signal }));
    io.results({ items }, 'There is no harness. Make one: fn harness add NAME --kind KIND', () => {
      const rows = items.map((one) => [
        one.name,
        one.kind,
        one.endpoint ?? one.module ?? one.baseUrl ?? one.provider ?? '',
        one.models.main ?? '',
        stateOf(one),
      ]);
      return listing(io, [['NAME', 'KIND', 'WHERE', 'MODEL', 'STATE'], ...rows], [2]);
    });
  },
});

function stateOf({ state, hasKey, signed, secretFrom, note }: Harness): string {
  const secret =
    state === 'needsSecret'
      ? `needs ${secretFrom === null ? 'a secret' : `the secret ${secretFrom}`}`
      : hasKey
        ? 'has a key'
        : signed
          ? 'signed'
          : '';
  return [secret, note ?? ''].filter((part) => part !== '').join(', ');
}

const show = defineCommand({
  description: 'Shows an AI harness, never its key and secret.',
  arguments: named,
  examples: [{ line: 'fn harness show builtin', does: 'shows it', runs: true }],
  json: 'The harness',
  see,
  async run(context, { name }) {
    const harness = await (await context.door())('harnesses.show', { id: name }, { signal: context.signal });
    context.io.result(harness, () => JSON.stringify(harness, null, 2));
  },
});

const update = defineCommand({
  description: 'Changes an AI harness; what is not given stays. With --secret-stdin its key is replaced.',
  arguments: named,
  options: { ...described, rename: { flag: '--name <name>', summary: 'Another name' } },
  examples: [{ line: 'fn harness update builtin --model script:nora', does: 'sets its main model', runs: true }],
  json: 'The harness',
  see,
  async run(context, { name, rename, secretStdin, ...given }) {
    const { io, signal } = context;
    const input: Input<'harnesses.update'> = {
      id: name,
      ...(rename !== undefined && { name: rename }),
      ...describedBy(given),
      ...(secretStdin && { apiKey: await secretOf(context) }),
    };
    const harness = await (await context.door())('harnesses.update', input, { signal });
    io.result(harness, () => `Changed: ${inLine(harness.name)}`);
  },
});

const remove = defineCommand({
  description: 'Removes an AI harness with its key and secret.',
  arguments: named,
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn harness remove mine', does: 'removes it' }],
  json: '{}',
  see,
  async run(context, { name, yes }) {
    const target = await context.target();
    if (!(await confirmRemote(context, target, yes, `Remove the harness "${name}" of ${target.slug}?`))) return 130;
    const removed = await target.door('harnesses.remove', { id: name }, { signal: context.signal });
    context.io.result(removed, () => `Removed: ${inLine(name)}`);
    return 0;
  },
});

const rotate = defineCommand({
  description: 'Replaces the signing secret of a custom harness. For 24 hours both sign; the new one is shown once.',
  arguments: named,
  options: { secretStdin: { flag: '--secret-stdin', summary: 'Read the new secret from standard input' } },
  examples: [{ line: 'fn harness rotate mine', does: 'shows the new secret once' }],
  json: '{id, secret, oldSecretUntil}',
  see,
  async run(context, { name, secretStdin }) {
    const secret = secretStdin ? await secretOf(context) : undefined;
    const input = { id: name, ...(secret !== undefined && { secret }) };
    const rotated = await (await context.door())('harnesses.rotateSecret', input, { signal: context.signal });
    context.io.result(rotated, () => rotated.secret);
    if (context.io.json) return;
    const until = rotated.oldSecretUntil;
    context.io.err(`Shown only now.${until === null ? '' : ` The old one signs until ${until}, too.`}`);
  },
});

const check = defineCommand({
  description: `Checks a harness by its name: its key, its address, and whether its endpoint answers; of the kind custom, or with the address of an agent server, it also goes through named scenarios – a greeting, a tool call, a handover, an interrupt, a cancel, wrong signatures and others – and names each rule that the server breaks. The scenarios ask the agent, which costs what its model costs. Exit code 3 if something is wrong.`,
  arguments: { what: { summary: 'Name of a harness, or the address of an agent server' } },
  options: {
    secretStdin: { flag: '--secret-stdin', summary: 'For an address: read the signing secret from standard input' },
    scenario: { flag: '--scenario <name>', summary: 'Only this scenario', many: true },
  },
  examples: [
    { line: 'fn harness check builtin', does: 'checks a harness', runs: true },
    { line: 'fn harness check http://127.0.0.1:4800/agent --secret-stdin < secret.txt', does: 'checks a server' },
  ],
  json: 'For a name {ok, note, problems, items}; for an address {ok, items: [{name, rule, status: passed|failed|skipped, message, ms}]}; items is empty for other kinds than custom',
  see,
  async run(context, { what, secretStdin, scenario }) {
    const only = await namesOfScenarios(scenario ?? []);
    if (/^https?:\/\//.test(what))
      return await checkServer(context, what, secretStdin ? await secretOf(context) : undefined, only);
    return await checkHarness(context, what, only);
  },
});

/** The scenarios that are named, or all. @throws UsageError */
async function namesOfScenarios(given: readonly string[]): Promise<readonly string[]> {
  const { harnessScenarios } = await import('../../agent/index.ts');
  const names = harnessScenarios.map(({ name }) => name);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown === undefined) return given.length > 0 ? given : names;
  throw new UsageError('scenario_unknown', `There is no scenario "${unknown}"`, {
    hint: `One of ${names.join(', ')}.`,
  });
}

/** The workspace plays the scenarios, with the secret that it keeps. */
async function checkHarness({ io, signal, door: open }: Context, id: string, only: readonly string[]): Promise<0 | 3> {
  const door = await open();
  const found = await door('harnesses.check', { id }, { signal });
  const { kind } = await door('harnesses.show', { id }, { signal });
  const { note, problems } = found;
  const items: ScenarioResult[] = [];
  if (found.ok && kind === 'custom') {
    for (const [n, scenario] of only.entries()) {
      io.progress(`${n + 1} of ${only.length}: ${scenario}`);
      const played = await door('harnesses.check', { id, scenario }, { signal });
      if (played.scenario !== null) items.push(played.scenario);
    }
    io.progress('');
  }
  const ok = found.ok && items.every(({ status }) => status !== 'failed');
  io.result({ ok, note, problems, items }, () => {
    if (items.length > 0) return listOfScenarios(io, items);
    if (ok) return `${inLine(id)} works`;
    return problems.map(({ code, message, fix }) => `${code}: ${inLine(message)}\n  ${inLine(fix)}`).join('\n');
  });
  if (found.ok && !io.json) for (const { message, fix } of problems) io.err(`${inLine(message)} ${inLine(fix)}`);
  if (note !== null && !io.json) io.err(`The kind ${kind} is ${note}.`);
  return ok ? 0 : 3;
}

async function checkServer(
  { io, signal }: Context,
  url: string,
  secret: string | undefined,
  only: readonly string[],
): Promise<0 | 3> {
  const { checkCustomServer } = await import('../../agent/index.ts');
  const { serveRunDoors } = await import('../../emulator/index.ts');
  const harness = {
    kind: 'custom',
    name: 'checked',
    baseUrl: url,
    secrets: secret === undefined ? [] : [secret],
  } as const;
  await using served = await serveRunDoors();
  const items: ScenarioResult[] = [];
  const openDoor: CheckServerOptions['openDoor'] = (runId, door) => served.doors.open(runId, door);
  for await (const item of checkCustomServer(harness, { signal, only, openDoor })) {
    items.push(item);
    io.progress(`${items.length} of ${only.length}: ${item.name}`);
  }
  io.progress('');
  const ok = items.every(({ status }) => status !== 'failed');
  io.result({ ok, items }, () => listOfScenarios(io, items));
  return ok ? 0 : 3;
}

function listOfScenarios(io: Context['io'], items: readonly ScenarioResult[]): string {
  return listing(
    io,
    [
      ['SCENARIO', 'RESULT', 'WHAT A SERVER MUST DO, AND WHAT IT DID'],
      ...items.map(({ name, status, rule, message }) => [
        name,
        status,
        message === null ? rule : `${rule}: ${message}`,
      ]),
    ],
    [2],
  );
}

const mock = defineCommand({
  description: `Plays the platform towards an agent server, without an app and without a workspace: each message of a customer is a run, signed as always, in one conversation. Tools answer with what a file says, a person allows every call that asks, and what happens is printed step by step. Serves the MCP endpoint of a run and takes the events of a server that answers later, too. Exit code 3 if a run failed.`,
  arguments: { url: { summary: 'Address of the agent server' } },
  options: {
    say: { flag: '--say <text>', summary: 'Message of the customer; several make a conversation', many: true },
    instructions: { flag: '--instructions <text>', summary: 'Instructions of the agent' },
    tools: { flag: '--tools <file>', summary: 'JSON: [{name, description, input, result, confirm?}]' },
    secretStdin: { flag: '--secret-stdin', summary: 'Read the signing secret from standard input' },
  },
  examples: [
    { line: "fn harness mock http://127.0.0.1:4800/agent --say 'Where is order A17?'", does: 'plays one message' },
    {
      line: "fn harness mock http://127.0.0.1:4800/agent --say Hello --say 'A human, please' --secret-stdin < secret.txt",
      does: 'plays a conversation with signed requests',
    },
  ],
  json: '{ok, items: [{say, status, events}]}',
  see: ['agent-server'],
  async run(context, { url, say, instructions, tools, secretStdin }) {
    const { io, signal } = context;
    const secret = secretStdin ? await secretOf(context) : undefined;
    const given = tools === undefined ? undefined : readTools(resolve(context.cwd, tools));
    const [{ playPlatform, sampleTools }, { lineOf }, { serveRunDoors }] = await Promise.all([
      import('../harness-mock/play.ts'),
      import('../harness-mock/lines.ts'),
      import('../../emulator/index.ts'),
    ]);
    await using served = await serveRunDoors();
    const { doors } = served;
    const items: { say: string; status: string; events: unknown[] }[] = [];
    const options = {
      url,
      secret,
      instructions: instructions ?? 'You help customers with their orders.',
      tools: given ?? sampleTools,
      say: say === undefined || say.length === 0 ? ['Hello!'] : say,
      doors,
      signal,
    };
    for await (const played of playPlatform(options)) {
      const item = items.at(-1);
      if (played.type === 'say') items.push({ say: played.text, status: 'running', events: [] });
      else if (played.type === 'event') item?.events.push(played.event);
      else if (played.type === 'end' && item !== undefined) item.status = played.status;
      const line = lineOf(played);
      if (line !== undefined && !io.json) io.out(line);
    }
    const ok = items.every(({ status }) => status === 'completed' || status === 'handedOver');
    if (io.json) io.result({ ok, items }, () => undefined);
    return ok ? 0 : 3;
  },
});

/** @throws UsageError tools_invalid */
function readTools(file: string): MockTool[] {
  const invalid = (why: string) =>
    new UsageError('tools_invalid', `${file}: ${why}`, {
      hint: 'A list of {"name", "description", "input": JSON Schema, "result", "confirm": "human"?}.',
    });
  let tools: unknown;
  try {
    tools = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw invalid(messageOf(error));
  }
  if (!Array.isArray(tools)) throw invalid('is no list');
  for (const [i, tool] of tools.entries()) {
    if (!isRecord(tool) || typeof tool['name'] !== 'string' || typeof tool['description'] !== 'string')
      throw invalid(`[${i}] has no name and description`);
    if (!isRecord(tool['input'])) throw invalid(`[${i}] has no input, a JSON Schema`);
  }
  return tools;
}

async function secretOf(context: Context): Promise<string> {
  const value = (await context.stdin(70_000)).replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new UsageError('secret_empty', 'Standard input holds no secret', {
    hint: 'Pipe it in: pass show NAME | fn harness …',
  });
}

function describedBy(given: Described): Omit<Input<'harnesses.update'>, 'id' | 'name' | 'apiKey'> {
  const { baseUrl, endpoint, module, provider, model, fallbackModel, fastModel, requireSignedReplies } = given;
  const models = {
    ...(model !== undefined && { main: model }),
    ...(fallbackModel !== undefined && { fallback: fallbackModel }),
    ...(fastModel !== undefined && { fast: fastModel }),
  };
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(endpoint !== undefined && { endpoint }),
    ...(module !== undefined && { module }),
    ...(provider !== undefined && { provider }),
    ...(Object.keys(models).length > 0 && { models }),
    ...(requireSignedReplies && { requireSignedReplies }),
  };
}

const init = defineCommand({
  description:
    'Writes a server for a harness of the kind custom: some 80 lines without a framework that check signatures and speak AG-UI, with a test. It passes every scenario of fn harness check.',
  arguments: {
    kind: { summary: 'Kind of the harness', choices: ['custom'] },
    folder: { summary: 'Folder that is made; default: agent-server', optional: true },
  },
  options: { force: { flag: '--force', summary: 'Overwrite files that exist' } },
  examples: [
    { line: 'fn harness init custom', does: 'writes agent-server/', runs: true },
    { line: 'fn harness init custom ../support-bot', does: 'writes it beside the app' },
  ],
  json: '{folder, written: [file]}',
  see: ['agent-server'],
  async run({ io, cwd }, { folder = 'agent-server', force }) {
    const { appNameFor, applyScaffold, planServer, readTemplates, serverTemplates } = await import(
      '../../project/index.ts'
    );
    const root = resolve(cwd, folder);
    const { written } = applyScaffold(
      planServer({ root, name: appNameFor(basename(root)) }, readTemplates(serverTemplates)),
      {
        force,
      },
    );
    const shown = relative(cwd, root) || '.';
    io.result({ folder: root, written }, () => written.map((file) => `${shown}/${file}`).join('\n'));
    if (io.json) return;
    io.err(`Next: fn harness add mine --kind custom --endpoint http://127.0.0.1:8787, then start it with the secret:
  FN_HARNESS_SECRET=whsec_… node ${shown}/server.js`);
  },
});

/** `fn harness …` */
export const commands = {
  add: { summary: 'Register an AI harness', command: add },
  list: { summary: 'List the AI harnesses', command: list },
  show: { summary: 'Show an AI harness', command: show },
  update: { summary: 'Change an AI harness, or its key', command: update },
  remove: { summary: 'Remove an AI harness', command: remove },
  rotate: { summary: 'Replace the signing secret of a custom harness', command: rotate },
  check: { summary: 'Check a harness, or the server of one', command: check },
  mock: { summary: 'Play the platform towards an agent server', command: mock },
  init: { summary: 'Write a server for a custom harness', command: init },
};
