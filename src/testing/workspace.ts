import { type Door, isOperationName, operationNames } from '../contract/index.ts';
import { type LocalOptions, type LocalWorkspace, localCaller, openLocal } from '../emulator/index.ts';
import { requireProject, resolveFunctionName } from '../project/index.ts';
import { lazy, messageOf, millisecondsOf, TurnableClock, UsageError, WorkspaceError } from '../std/index.ts';
import { chatWith } from './chat.ts';
import { toldToCoverage, writeCoverage } from './coverage.ts';
import { testEvents } from './events.ts';
import { told } from './failure.ts';
import { writeFlowCoverage } from './flow-coverage.ts';
import { toolMembers } from './tools.ts';
import type { InvokeOptions, TestInvocation, TestWorkspace, WorkspaceOptions } from './types.ts';
import { checkOptionNames, unknownName } from './unknown-name.ts';
import { toldToWatcher } from './watched.ts';

/**
 * Opens a workspace in memory for the app, with its functions live. Close it, or declare it with `await using`.
 * @throws ProjectError when there is no app here, or it is broken; UsageError for an unknown option
 */
export function aWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  return told(async () => testWorkspace(await opened(options)));
}

const optionNames = Object.keys({ app: true, seed: true, now: true, secrets: true, fetch: true } satisfies Record<
  keyof WorkspaceOptions,
  true
>);

async function opened(options: WorkspaceOptions): Promise<LocalWorkspace> {
  checkOptionNames(options, optionNames);
  const project = await requireProject(options.app ?? process.cwd());
  const clock = new TurnableClock();
  if (options.now !== undefined) clock.stop(timeOf(options.now));
  const onEvent = await toldToWatcher(project);
  const onCoverage = toldToCoverage(project);
  return await openLocal({
    project,
    database: 'memory',
    clock,
    processes: 1,
    ...(onEvent && { onEvent }),
    ...(onCoverage && { onCoverage }),
    ...(options.seed && { seed: options.seed }),
    ...(options.secrets && { secrets: options.secrets }),
    ...(options.fetch && { network: networkOf(options.fetch) }),
  });
}

function networkOf(answer: NonNullable<WorkspaceOptions['fetch']>): NonNullable<LocalOptions['network']> {
  return async (url, init) => {
    const given: unknown = await answer(new Request(url, init));
    if (given instanceof Response) return whole(given);
    throw new TypeError(
      `the fetch given to aWorkspace answered with ${given === null ? 'null' : typeof given}, not with a Response`,
    );
  };
}

function whole(answer: Response): Response {
  // Response.error() is the web's way to express a network failure.
  if (answer.type === 'error') throw new TypeError('the fetch given to aWorkspace answered with Response.error()');
  if (answer.bodyUsed || answer.body?.locked)
    throw new TypeError(
      'the fetch given to aWorkspace answered with a Response that was read already: make a new one for each request',
    );
  return answer;
}

function timeOf(at: string | Date): number {
  const atMs = new Date(at).getTime();
  if (!Number.isNaN(atMs)) return atMs;
  throw new UsageError('time_invalid', `"${at}" is not a time`, {
    hint: 'Write it as "2026-03-02T12:00:00Z", or give a Date.',
  });
}

/** Runs one function once, in its own workspace, which is closed afterwards. */
export async function invoke<T = unknown>(
  name: string,
  input?: unknown,
  options: WorkspaceOptions & InvokeOptions = {},
): Promise<T> {
  const { method, query, headers, conversationId, variables, ...rest } = options;
  await using workspace = await aWorkspace(rest);
  return await workspace.invoke<T>(name, input, {
    ...(method && { method }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(conversationId && { conversationId }),
    ...(variables && { variables }),
  });
}

function testWorkspace(local: LocalWorkspace): TestWorkspace {
  void local.emulator.work(true);
  const door = local.door(localCaller);
  const call: Door = (name, input, options) =>
    told(async () => {
      if (!isOperationName(name)) throw unknownName('operation', name, operationNames);
      return await door(name, input, options);
    });
  const app = local.functions.app;
  const fetchIt = httpFace(local);
  // Once, also where a test closes a workspace that is disposed of afterwards.
  const flowsWritten = lazy(() => writeFlowCoverage(app, door));
  const close = async () => {
    writeCoverage();
    try {
      await flowsWritten();
    } finally {
      await local.close();
    }
  };

  async function start(name: string, input: unknown, options: InvokeOptions = {}) {
    const { conversationId, variables, ...request } = options;
    const full = resolveFunctionName(await local.functions.files(), name).name;
    return await door('functions.invoke', {
      app,
      name: full,
      ...(input !== undefined && { input: jsonOf(input) }),
      ...(Object.keys(request).length > 0 && { request }),
      ...(conversationId !== undefined && { conversationId }),
      ...(variables !== undefined && { variables }),
    });
  }

  const settled = () =>
    told(async () => {
      const left = await local.emulator.settled();
      if (left.length > 0)
        throw new UsageError('workspace_not_settled', `After 30 s this was not done: ${left.join(', ')}`);
    });

  async function run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation> {
    const id = await start(name, input, options).then(
      (invoked) => invoked.invocationId,
      (error: unknown) => invocationOf(error),
    );
    return await door('invocations.show', { id });
  }

  const runAgent: TestWorkspace['runAgent'] = async (agent, input, options = {}) => {
    const given = { ...options, agent, ...(input !== undefined && { input }) };
    const { id } = await call('aiAgentRuns.create', given);
    await settled();
    return await call('aiAgentRuns.show', { id });
  };

  const tools = toolMembers({
    app,
    tools: local.emulator.tools,
    door,
    settled: () => local.emulator.settled(),
  });

  return {
    call,
    runAgent,
    callTool: (...given) => told(() => tools.callTool(...given)),
    answerConfirmation: (...given) => told(() => tools.answerConfirmation(...given)),
    toolCalls: () => told(() => tools.toolCalls()),
    invoke: <T>(name: string, input?: unknown, options?: InvokeOptions) =>
      told(async () => (await start(name, input, options)).result as T),
    run: (name, input, options) => told(() => run(name, input, options)),
    clock: testClock(local, door),
    settled,
    chat: (options) => chatWith(options, { call, settled }),
    stubNode: (flow, node, answer) => local.emulator.stubFlowNode(flow, node, answer && jsonOf(answer)),
    events: testEvents(local, door),
    customerWrites: (message) => call('messages.receive', message),
    fetch: fetchIt,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The id of a failed invocation; any other refusal happened before an invocation began and is thrown again. */
function invocationOf(error: unknown): string {
  const id = error instanceof WorkspaceError ? error.details?.['invocationId'] : undefined;
  if (typeof id !== 'string') throw error;
  return id;
}

/** Only JSON crosses into a function. */
function jsonOf(input: unknown): ReturnType<typeof JSON.parse> {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch (cause) {
    throw new UsageError('input_no_json', `The input is not JSON: ${messageOf(cause)}`, { cause });
  }
  if (text === undefined)
    throw new UsageError('input_no_json', `The input is a ${typeof input}, which cannot be sent as JSON`);
  return JSON.parse(text);
}

function testClock(local: LocalWorkspace, door: Door): TestWorkspace['clock'] {
  return {
    now: () => new Date(local.clock.now()),
    set: (at) =>
      told(async () => {
        const atMs = timeOf(at);
        await door('clock.set', { now: new Date(atMs).toISOString() });
        local.clock.stop(atMs);
      }),
    advance: (by) =>
      told(async () => {
        const { fired } = await door('clock.advance', { ms: millisecondsOf(by) });
        return { fired };
      }),
  };
}

/** If a test replaces the global fetch, that is meant for its functions, not for its own requests to the workspace. */
const { fetch: ownFetch } = globalThis;

/** Starts to listen at the first request, on a port that the machine chooses. */
function httpFace(local: LocalWorkspace): TestWorkspace['fetch'] {
  const url = lazy(async () => (await local.emulator.listen({ port: 0, strict: true, inBackground: true })).url);
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${local.token}`);
    return await ownFetch(new URL(path, await url()), { ...init, headers });
  };
}
