import { openClient } from '../../client/index.ts';
import type { Caller, Door, ParsedInput } from '../../contract/index.ts';
import type { LocalWorkspace } from '../../emulator/index.ts';
import type { Project } from '../../project/index.ts';
import { forkEarly } from '../../sandbox/early.ts';
import { InterruptedError, lazy, WorkspaceError } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import type { AwaitedDebugger } from '../functions/awaited-debugger.ts';
import { rememberBuilt } from '../functions/tell-built.ts';
import { waitsForOwner } from './waits-for-owner.ts';

/** The app's workspace in this process. @param inspect a debugger that the first function waits for */
export async function openEmbedded(context: Context, project: Project, inspect?: AwaitedDebugger): Promise<Target> {
  // The sandbox starts while the emulator loads.
  forkEarly();
  const { localCaller, openLocal, patience } = await import('../../emulator/index.ts');
  const { hear, tell } = rememberBuilt(context.io);
  const waitForOwner = patience(project.stateDir, context.signal, () => context.io.err(waitsForOwner));
  const local = await openLocal({
    project,
    database: 'file',
    env: context.env,
    onEvent: hear,
    waitForOwner,
    ...(inspect && { inspect }),
  });
  /** Opens the HTTP face on a free port while the command runs, for raw requests. */
  const listening = lazy(async () => {
    const { port } = await local.emulator.listen({ port: 0, strict: true });
    return openClient({
      baseUrl: `http://127.0.0.1:${port}`,
      slug: local.workspace.slug,
      token: local.token,
      env: {},
      userAgent: `fn/${context.version}`,
    });
  });
  return {
    kind: 'embedded',
    tellBuilt: tell,
    slug: local.workspace.slug,
    baseUrl: undefined,
    profile: undefined,
    door: quickDoor(local, localCaller),
    client: undefined,
    async working() {
      const client = await listening();
      await local.emulator.work();
      return client;
    },
    async request(request) {
      return await (await listening()).request(request);
    },
    async close() {
      await (await listening.made)?.close();
      await local.close();
    },
  };
}

/** A door without schema checks: inputs of our own commands are typed, and skipping the schema library speeds up every start. */
function quickDoor(local: LocalWorkspace, caller: Caller): Door {
  const door = local.door();
  const invoke = (input: ParsedInput<'functions.invoke'>, signal?: AbortSignal) =>
    local.emulator.invoke(input, caller, signal);
  return async (name, input, options) => {
    try {
      if (name !== 'functions.invoke') return await door(name, input, options);
      return (await invoke(input as ParsedInput<'functions.invoke'>, options?.signal)) as never;
    } catch (error) {
      if (options?.signal?.aborted && isStop(error))
        throw new InterruptedError('interrupted', 'Stopped', { cause: error });
      // The first access to the data fails because of a broken seed.json; report the file instead.
      throw local.seedProblem() ?? error;
    }
  };
}

/** Whether a call ended because it was stopped: before it was carried out, or with the function that it ran. */
function isStop(error: unknown): boolean {
  if (error instanceof WorkspaceError) return error.code === 'workspace_stopping';
  return error instanceof Error && error.name === 'AbortError';
}
