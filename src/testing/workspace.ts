import type { Door } from '../contract/index.ts';
import { type LocalWorkspace, localCaller, openLocal } from '../emulator/index.ts';
import { requireProject, resolveFunctionName } from '../project/index.ts';
import { millisecondsOf, TurnableClock, WorkspaceError } from '../std/index.ts';
import type { InvokeOptions, TestInvocation, TestWorkspace, WorkspaceOptions } from './types.ts';

/**
 * A workspace in memory around the app, with its functions live. Close it, or declare it with `await using`.
 * @throws ProjectError when there is no app here, or it is broken
 */
export async function aWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const project = await requireProject(options.app ?? process.cwd());
  const clock = new TurnableClock();
  if (options.now !== undefined) clock.stop(Date.parse(options.now));
  const local = await openLocal({
    project,
    database: 'memory',
    clock,
    processes: 1,
    ...(options.seed && { seed: options.seed }),
    ...(options.secrets && { secrets: options.secrets }),
  });
  return testWorkspace(local);
}

/** One function once, in a workspace of its own that is closed afterwards. */
export async function invoke<T = unknown>(
  name: string,
  input?: unknown,
  options: WorkspaceOptions & InvokeOptions = {},
): Promise<T> {
  await using workspace = await aWorkspace(options);
  const { method, query, headers, conversationId } = options;
  return await workspace.invoke<T>(name, input, {
    ...(method && { method }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(conversationId && { conversationId }),
  });
}

function testWorkspace(local: LocalWorkspace): TestWorkspace {
  const call = local.door(localCaller);
  const app = local.functions.app;
  const fetchIt = httpFace(local);

  async function start(name: string, input: unknown, options: InvokeOptions = {}) {
    const { conversationId, ...request } = options;
    const full = resolveFunctionName(await local.functions.files(), name).name;
    return await call('functions.invoke', {
      app,
      name: full,
      ...(input !== undefined && { input: jsonOf(input) }),
      ...(Object.keys(request).length > 0 && { request }),
      ...(conversationId !== undefined && { conversationId }),
    });
  }

  async function run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation> {
    const id = await start(name, input, options).then(
      (invoked) => invoked.invocationId,
      (error: unknown) => invocationOf(error),
    );
    return await call('invocations.show', { id });
  }

  return {
    call,
    async invoke<T>(name: string, input?: unknown, options?: InvokeOptions): Promise<T> {
      const { result } = await start(name, input, options);
      return result as T;
    },
    run,
    clock: testClock(local, call),
    customerWrites: (message) => call('messages.receive', message),
    fetch: fetchIt,
    close: () => local.close(),
    [Symbol.asyncDispose]: () => local.close(),
  };
}

/** A failed invocation names its record; any other refusal happened before one began. */
function invocationOf(error: unknown): string {
  const id = error instanceof WorkspaceError ? error.details?.['invocationId'] : undefined;
  if (typeof id !== 'string') throw error;
  return id;
}

/** Only JSON crosses into a function: what would be lost on the way is refused here, as it would be there. */
function jsonOf(input: unknown): ReturnType<typeof JSON.parse> {
  return JSON.parse(JSON.stringify(input));
}

function testClock(local: LocalWorkspace, call: Door): TestWorkspace['clock'] {
  return {
    now: () => new Date(local.clock.now()),
    async set(at) {
      const atMs = new Date(at).getTime();
      await call('clock.set', { now: new Date(atMs).toISOString() });
      local.clock.stop(atMs);
    },
    async advance(by) {
      const { fired } = await call('clock.advance', { ms: millisecondsOf(by) });
      return { fired };
    },
  };
}

/** Listens at the first request, on a port that the machine chooses. */
function httpFace(local: LocalWorkspace): TestWorkspace['fetch'] {
  let listening: Promise<string> | undefined;
  return async (path, init = {}) => {
    listening ??= local.emulator.listen({ port: 0, strict: true }).then(({ url }) => url);
    const url = await listening;
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${local.token}`);
    return await fetch(new URL(path, url), { ...init, headers });
  };
}
