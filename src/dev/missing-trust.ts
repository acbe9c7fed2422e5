import { limits, packageKinds } from '../contract/index.ts';
import type { LocalWorkspace } from '../emulator/index.ts';
import { isTrusted, type Project } from '../project/index.ts';
import { type Environment, FnError } from '../std/index.ts';
import type { DevEvent } from './events.ts';

/**
 * Tells which AI agents of the app cannot run until its folder is trusted: their harnesses load packages of the app, which run outside the
 * sandbox. Told at the start and when others join, never during a run.
 */
export function trustTeller(
  local: LocalWorkspace,
  emit: (event: DevEvent) => void,
  env: Environment,
): (of: Project) => Promise<void> {
  let told = '';
  return async (project) => {
    const agents = isTrusted(project.root, env) ? [] : await agentsWithPackages(local);
    const now = agents.join();
    if (now !== told && agents.length > 0) emit({ type: 'trust-missing', folder: project.root, agents });
    told = now;
  };
}

async function agentsWithPackages(local: LocalWorkspace): Promise<readonly string[]> {
  const door = local.door();
  try {
    const [agents, harnesses] = await Promise.all([
      door('aiAgents.list', { app: local.functions.app, limit: limits.list.most }),
      door('harnesses.list', { limit: limits.list.most }),
    ]);
    const withPackages = harnesses.items.filter(({ kind }) => packageKinds.includes(kind)).map(({ name }) => name);
    return agents.items.filter(({ harness }) => withPackages.includes(harness)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof FnError) return []; // the run of an agent says so itself
    throw error;
  }
}
