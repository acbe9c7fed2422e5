import type { HeldWrite } from '../../client/index.ts';
import { type Door, type ErrorCode, functionTypes, type Input, type Output } from '../../contract/index.ts';
import { listFunctionFiles, type Project, readFixture, resolveFunctionName } from '../../project/index.ts';
import { InterruptedError, UnknownOutcomeError, UsageError, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { functionFailure, staleText } from '../failures/function-failure.ts';
import { type AwaitedDebugger, awaitedDebugger, noRunningDev } from '../functions/awaited-debugger.ts';
import { liveFunctions } from '../functions/live-functions.ts';
import { openScratch, type ScratchFile, scratchFile } from '../functions/scratch.ts';
import { logText } from '../terminal/log-text.ts';
import { table } from '../terminal/table.ts';
import { readJson, readJsonObject } from '../values/read-json.ts';

type InvokeInput = Input<'functions.invoke'>;
type Invoked = Output<'functions.invoke'>;

export const command = defineCommand({
  description: `Runs one function of any type once and prints its result. The function's console output goes to standard error.

Without --data and --fixture, the input is the fixture "default" if there is one, otherwise empty. Its meaning depends on the type: the body for a ${functionTypes['server-side-method'].title}, the arguments of an ${functionTypes['ai-tool'].title}, the input of a ${functionTypes['custom-flow-node'].title}, the settings of a ${functionTypes['custom-app-setup'].title}.

The call goes to a running "fn dev" of this app; if there is none, fn opens the workspace for this one call. With --remote the deployed code runs in the workspace you are logged in to; with --relay the code in this folder runs on that workspace's data: reads go through, writes are held back and listed.

A file (./scratch.mjs) runs in a separate in-memory workspace that starts with the app's seed; a running "fn dev" does not see its changes.

With --inspect it waits for Chrome or an editor to attach, then runs; time limits are suspended while it is paused.`,
  arguments: {
    name: { summary: 'Name of the function, or its last part if that is unique; or a file: ./scratch.mjs' },
  },
  options: {
    later: {
      flag: '--later',
      summary: 'Call a Server Side Method in the background, with retries; prints the id of the job',
    },
    data: { flag: '-d, --data <json>', summary: 'Input as JSON, @file, or @- for standard input' },
    fixture: { flag: '--fixture <name>', summary: 'Input from fixtures/<function>/<name>.json' },
    method: { flag: '-X, --method <method>', summary: 'HTTP method, for a Server Side Method' },
    query: { flag: '-q, --query <key=value>', summary: 'Query parameter, for a Server Side Method', many: true },
    header: { flag: '-H, --header <name:value>', summary: 'Header, for a Server Side Method', many: true },
    conversation: { flag: '--conversation <id>', summary: 'Conversation that a flow node or a tool works in' },
    variables: {
      flag: '--variables <json>',
      summary: 'Variables set by earlier nodes, for a flow node: JSON or @file',
    },
    remote: { flag: '--remote', summary: 'Run the deployed code in the workspace you are logged in to' },
    relay: { flag: '--relay', summary: 'Run the code in this folder on that workspace’s data, holding back writes' },
    allow: { flag: '--allow <operation>', summary: 'With --relay: let this write through', many: true },
    inspect: {
      flag: '--inspect [port]',
      summary: 'Wait for a debugger, then run (default port 9230)',
      type: 'count',
      bare: true,
    },
    inspectBrk: {
      flag: '--inspect-brk [port]',
      summary: 'The same, but pause at the first line',
      type: 'count',
      bare: true,
    },
  },
  examples: [
    { line: 'fn invoke tools/refund', does: 'runs the tool with its default fixture', runs: true },
    { line: `fn invoke api/orders/find -d '{"phone":"+4930901820"}'`, does: 'sends a body' },
    { line: 'fn invoke ./scratch.mjs', does: 'runs a file that is not a function of the app' },
    { line: 'echo \'{"orderId":"A-17"}\' | fn invoke refund -d @-', does: 'reads the input from another command' },
    { line: 'fn invoke refund --inspect-brk', does: 'waits for Chrome or VS Code, and pauses at the first line' },
  ],
  json: '{invocationId, result, logs, wallMs, cpuMs}, with stale: true if the last good version ran, because what is in the folder does not build. The error of a function that failed carries {invocationId, logs, frames, stale?}. With --relay also held: [{operation, input}]. With --inspect standard error begins with {type: waiting-for-debugger, function, port, url}',
  see: ['functions', 'fixtures', 'debugging'],
  complete: {
    name: 'functions or files',
    fixture: 'fixtures',
    method: async () => methods,
    allow: 'writing operations',
  },
  async run(context, args) {
    if (args.remote && args.relay) {
      throw new UsageError('flags_contradict', '--remote and --relay cannot be combined', {
        hint: '--remote runs the deployed code, --relay the code in this folder. Use one of them.',
      });
    }
    if (args.allow?.length && !args.relay) {
      throw new UsageError('flags_contradict', '--allow only works with --relay', {
        hint: 'Without --relay, nothing is held back.',
      });
    }
    const { io } = context;
    const inspect = awaitedDebugger(context, args);
    const scratch = args.remote ? undefined : await scratchFile(args.name, context.cwd);
    if (scratch) return await invokeScratch(context, scratch, { ...args, debug: inspect });
    const project = await context.requireProject();
    const name = await nameOf(context, project, args);
    const input = await inputOf(context, project, name, args);
    const call: InvokeInput = { app: project.app, name, trigger: 'cli', ...input, ...requestOf(args) };
    if (args.later) return await enqueue(context, call);
    const invokeHere = () => (inspect ? invokeDebugged(context, call, inspect) : invokeAt(context, call, args.remote));
    const invoked = await (args.relay ? relayed(context, call, args.allow, inspect) : invokeHere()).catch((error) => {
      throw args.data === undefined && call.input !== undefined
        ? withFixture(error, `fixtures/${name}/${args.fixture ?? 'default'}.json`)
        : error;
    });
    show(io, invoked);
    return 0;
  },
});

/** Calls a method in the background: whoever works on the workspace's jobs runs it. */
async function enqueue(context: Context, { app, name, input }: InvokeInput) {
  const target = await context.target('local');
  const call = { app, path: name, ...(input !== undefined && { body: input }) };
  const job = await target.door('methods.enqueue', call, { signal: context.signal });
  const who = target.kind === 'embedded' ? ' It runs when "fn dev" is started.' : '';
  context.io.result(job, () => `${job.id}: see how it goes with fn job show ${job.id}.${who}`);
  return 0 as const;
}

/** The whole name: of the live functions with --remote, else of the files here. */
async function nameOf(context: Context, project: Project, { name, remote }: { name: string; remote: boolean }) {
  if (!remote) return resolveFunctionName(await listFunctionFiles(project), name).name;
  const { door } = await context.target('remote');
  const live = await liveFunctions(door, project.app, context.signal);
  return resolveFunctionName(live, name).name;
}

function show(io: Context['io'], invoked: Invoked): void {
  // With --json they are part of the result, and so is that.
  if (invoked.stale && !io.json) io.err(staleText(io));
  if (!io.json) for (const { level, text } of invoked.logs) io.err(logText(io, level, text));
  io.result(invoked, () => JSON.stringify(invoked.result, null, 2));
  if (invoked.passedBy && !io.json) {
    io.err(io.errStyle.dim(`past the gate of tools: ${invoked.passedBy.join(', ')}. Through it: fn tool call`));
  }
}

type ScratchFlags = Given & RequestFlags & { relay: boolean; debug: AwaitedDebugger | undefined };

/** Runs a file that is no function of the app. */
async function invokeScratch(context: Context, scratch: ScratchFile, args: ScratchFlags) {
  if (args.relay) {
    throw new UsageError('flags_contradict', '--relay runs functions of an app, not single files', {
      hint: 'Move the file into functions/, or omit --relay.',
    });
  }
  const { file, project } = scratch;
  const input = await inputOf(context, project, file.name, args);
  const { door, close } = await openScratch(scratch, args.debug);
  context.onEnd(close);
  const call: InvokeInput = { app: project.app, name: file.name, trigger: 'cli', ...input, ...requestOf(args) };
  show(context.io, await invokeThrough(context, { door }, call, project.root));
  return 0 as const;
}

async function invokeAt(context: Context, call: InvokeInput, remote: boolean): Promise<Invoked> {
  const target = await context.target(remote ? 'remote' : 'local');
  const { root } = await context.requireProject();
  const there = target.profile === undefined ? '' : ` --profile ${target.profile}`;
  if (!remote) return await invokeThrough(context, target, call, root);
  context.ifCutOff({
    exitCode: 8,
    message: `${call.name} was asked for and may have run, or still run. See what it logged: fn logs ${call.name}${there}`,
  });
  try {
    return await invokeThrough(context, target, call, root);
  } finally {
    context.ifCutOff(undefined);
  }
}

async function invokeDebugged(context: Context, call: InvokeInput, inspect: AwaitedDebugger): Promise<Invoked> {
  const project = await context.requireProject();
  await noRunningDev(project);
  const { openEmbedded } = await import('../workspaces/embedded.ts');
  const target = await openEmbedded(context, project, inspect);
  context.onEnd(target.close);
  return await invokeThrough(context, target, call, project.root);
}

async function invokeThrough(
  context: Context,
  { kind, door, tellBuilt }: Pick<Target, 'door'> & Partial<Target>,
  call: InvokeInput,
  root: string,
): Promise<Invoked> {
  try {
    return await door('functions.invoke', call, { signal: context.signal }).finally(() => tellBuilt?.(call.name));
  } catch (error) {
    // What runs elsewhere, on the data of others, does not stop with us.
    if (kind === 'remote' && error instanceof UnknownOutcomeError) throw error;
    if (context.signal.aborted) throw new InterruptedError('interrupted', 'Stopped', { cause: error });
    throw await withoutInput(await functionFailure(error, context.io, door, root), call, door);
  }
}

const aboutInput: readonly string[] = ['function_input_invalid', 'settings_invalid'] satisfies ErrorCode[];

/** The refused input is in a file that the command line may not have named. */
function withFixture(error: unknown, file: string): unknown {
  if (!(error instanceof WorkspaceError) || !aboutInput.includes(error.code)) return error;
  const hint = `The input is ${file}. Correct it, or pass another with -d '{…}'.`;
  return new WorkspaceError(error.code, error.status, error.message, { ...error, hint, cause: error });
}

/** A function that wants an input and got none: where it comes from is what has to be known. */
async function withoutInput(error: unknown, call: InvokeInput, door: Door): Promise<unknown> {
  const { name, input, request } = call;
  if (!(error instanceof WorkspaceError) || !aboutInput.includes(error.code)) return error;
  if (input !== undefined || request?.query !== undefined) return error;
  const flag = (await takesQuery(call, door)) ? '-q name=value' : "-d '{…}'";
  return new WorkspaceError(error.code, error.status, error.message, {
    ...error,
    hint: `It was called without input: pass some with ${flag}, or save it as fixtures/${name}/default.json.`,
    cause: error,
  });
}

/** Whether the call was one without a body, whose input is its query. */
async function takesQuery({ app, name, request }: InvokeInput, door: Door): Promise<boolean> {
  const live = await door('functions.show', { app, name }).catch(() => undefined);
  if (live?.type !== 'server-side-method') return false;
  const { methods } = Object(live.config['expose']) as { methods?: readonly string[] };
  return ['GET', 'HEAD', 'DELETE'].includes(request?.method ?? methods?.[0] ?? 'POST');
}

/** The code of this folder on the data of a workspace elsewhere; writes are held back and listed. */
async function relayed(
  context: Context,
  call: InvokeInput,
  allow: readonly string[] | undefined,
  inspect: AwaitedDebugger | undefined,
): Promise<Invoked & { held: readonly HeldWrite[] }> {
  const [project, { door: remote }] = await Promise.all([context.requireProject(), context.target('remote')]);
  const { openRelay } = await import('../workspaces/relay.ts');
  const relay = await openRelay({ project, remote, allow: allow ?? [], ...(inspect && { inspect }) });
  context.onEnd(relay.close);
  try {
    const invoked = await invokeThrough(context, { door: relay.door }, call, project.root);
    // The function may have gone on without an answer; whoever started it must know, above all of a write.
    const failure = relay.failure();
    if (failure instanceof UnknownOutcomeError) throw failure;
    if (failure !== undefined) context.io.err(`${context.io.errStyle.yellow('no answer')} ${failure.message}`);
    return { ...invoked, held: relay.held() };
  } catch (error) {
    throw relay.end() ?? error;
  } finally {
    const held = relay.held();
    if (held.length > 0 && !context.io.json) {
      context.io.err(
        `${held.length} ${held.length === 1 ? 'write was' : 'writes were'} held back (--allow <operation> lets it through):`,
      );
      context.io.err(table(held.map(({ operation, input }) => [operation, JSON.stringify(input)])));
    }
  }
}

interface Given {
  readonly data?: string | undefined;
  readonly fixture?: string | undefined;
  readonly conversation?: string | undefined;
  readonly variables?: string | undefined;
}

async function inputOf(
  context: Context,
  project: Project,
  name: string,
  given: Given,
): Promise<Pick<InvokeInput, 'input' | 'conversationId' | 'variables'>> {
  const around = {
    ...(given.conversation !== undefined && { conversationId: given.conversation }),
    ...(given.variables !== undefined && {
      variables: (await readJsonObject(
        context,
        given.variables,
        '--variables',
        '{"open":true}',
      )) as InvokeInput['variables'],
    }),
  };
  if (given.data !== undefined && given.fixture !== undefined) {
    throw new UsageError('flags_contradict', '--data and --fixture cannot be combined', {
      hint: 'Use one of them.',
    });
  }
  if (given.data !== undefined) return { ...around, input: (await readJson(context, given.data, '--data')) as Json };
  const fixture = await readFixture(project, name, given.fixture);
  return fixture === undefined ? around : { ...around, input: fixture as Json };
}

type Json = InvokeInput['input'];

interface RequestFlags {
  readonly method?: string | undefined;
  readonly query?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
}

type Method = NonNullable<NonNullable<InvokeInput['request']>['method']>;

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

function methodOf(given: string): Method {
  const found = methods.find((method) => method === given.toUpperCase());
  if (found !== undefined) return found;
  throw new UsageError('flag_invalid', `"${given.slice(0, 60)}" is not a method that a function can be called by`, {
    hint: `The methods are ${methods.join(', ')}.`,
  });
}

function requestOf(args: RequestFlags): Pick<InvokeInput, 'request'> {
  const request = {
    ...(args.method !== undefined && { method: methodOf(args.method) }),
    ...(args.query?.length && { query: byKey(args.query, '=', '--query key=value', (value) => value) }),
    // Of a header that stands there twice, HTTP makes one with a comma.
    ...(args.header?.length && { headers: byKey(args.header, ':', '--header name:value', (all) => all.join(', ')) }),
  };
  return Object.keys(request).length > 0 ? { request } : {};
}

/** @param together makes one value of those that a key was given more than once */
function byKey<T>(
  given: readonly string[],
  separator: '=' | ':',
  form: string,
  together: (values: string[]) => T,
): Record<string, string | T> {
  const found = new Map<string, string[]>();
  for (const pair of given) {
    const at = pair.indexOf(separator);
    if (at <= 0) throw new UsageError('flag_invalid', `"${pair}" is not of the form ${form}`);
    const key = separator === ':' ? pair.slice(0, at).trim().toLowerCase() : pair.slice(0, at).trim();
    found.set(key, [...(found.get(key) ?? []), pair.slice(at + 1).trim()]);
  }
  return Object.fromEntries(
    [...found].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : together(values)]),
  );
}
