import { type ExampleCall, exampleVerb, type LocalWorkspace } from '../emulator/index.ts';
import { type Project, readFixture } from '../project/index.ts';
import type { ReadyFunction } from './events.ts';

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
