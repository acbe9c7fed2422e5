import { refusal } from '../../contract/index.ts';
import { requireModuleRight, requireSecretsRight } from '../../workspace/index.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

export function workspaceHandlers({
  workspace,
  scheduler,
  appEndpoints,
  mcpClients,
  openUrl,
  appSeed,
}: MachineParts): HandlersOf<'workspace'> {
  return {
    async 'workspace.openUrl'({ path }) {
      const url = openUrl(path);
      if (url === undefined) throw refusal('operation_not_allowed', 'This workspace serves no pages: start "fn dev"');
      return { url };
    },
    async 'workspace.reset'({ seed }, caller) {
      requireModuleRight(caller, seed?.harnesses ?? []);
      if (seed) requireSecretsRight(caller, seed);
      await workspace.seed.reset(workspace.seed.beginning(seed ?? (await appSeed())));
      await Promise.all([scheduler.reset(), appEndpoints.reset(), mcpClients.forgetAll()]);
      return {};
    },
    async 'workspace.import'({ seed }, caller) {
      requireModuleRight(caller, seed.harnesses ?? []);
      requireSecretsRight(caller, seed);
      return { created: await workspace.seed.apply(seed) };
    },
  };
}
