import { limits } from '../contract/index.ts';
import { type ExampleCall, exampleVerb, type LocalWorkspace } from '../emulator/index.ts';
import { type Project, readFixture } from '../project/index.ts';
import { FnError } from '../std/index.ts';
import type { Ready, ReadyFunction } from './events.ts';

/** An example request that works: the first method reachable from outside, with its default fixture as the body. */
export async function exampleRequest(
  project: Project,
  functions: readonly ReadyFunction[],
): Promise<ExampleCall | undefined> {
  const method = functions.find(({ url, methods, problem }) => url && methods && !problem);
  if (!method?.url || !method.methods) return undefined;
  const verb = exampleVerb(method.methods);
  const body = verb === 'POST' ? await readFixture(project, method.name).catch(() => undefined) : undefined;
  return { method: verb, url: method.url, auth: method.auth ?? 'token', ...(verb === 'POST' && { body: body ?? {} }) };
}

/** The functions with the addresses at which they are reached from outside. */
export async function readyFunctions(local: LocalWorkspace, url: string): Promise<ReadyFunction[]> {
  const { app } = local.functions;
  const slug = local.workspace.slug;
  const infos = await local.functions.list();
  return infos.map(({ name, path, type, config, problem }): ReadyFunction => {
    if (config?.type === 'server-side-method' && config.expose) {
      const { methods, auth } = config.expose;
      return {
        name,
        type: config.type,
        url: `${url}/api/${slug}/custom-functions/${app}/${path}`,
        methods,
        auth,
        ...(problem && { problem }),
      };
    }
    if (type === 'custom-view') return { name, type, url: `${url}/views/${app}/${name}`, ...(problem && { problem }) };
    return { name, ...(type && { type }), ...(problem && { problem }) };
  });
}

/**
 * The flows and AI agents of the app; those that could not be loaded are told of by themselves. None where nothing can be read, as with a
 * broken seed: that is told by itself, too.
 */
export async function readyFlowsAndAgents(local: LocalWorkspace): Promise<Pick<Ready, 'flows' | 'agents'>> {
  const { app } = local.functions;
  const door = local.door();
  try {
    const [flows, agents] = await Promise.all([
      door('flows.list', { app, limit: limits.list.most }),
      door('aiAgents.list', { app, limit: limits.list.most }),
    ]);
    return {
      flows: flows.items.map(({ name, trigger }) => ({ name, trigger: trigger.on })),
      agents: agents.items.map(({ name }) => ({ name })),
    };
  } catch (error) {
    if (error instanceof FnError) return { flows: [], agents: [] };
    throw error;
  }
}
