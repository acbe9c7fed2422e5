import type { Caller, Input, OperationName, OperationsWhere, Output } from '../../contract/index.ts';
import type { MachineParts } from './parts.ts';

type FollowedOperation = OperationsWhere<'followUp', true>;
type FollowUp<N extends OperationName> = (input: Input<N>, output: Output<N>, caller: Caller) => Promise<void>;

/** What the machine adds to operations on the state: it completes their answers, or what it keeps in memory. */
export function followUpsOf({ apps, secrets, mcpClients }: Pick<MachineParts, 'apps' | 'secrets' | 'mcpClients'>) {
  const followUps: { readonly [N in FollowedOperation]: FollowUp<N> } = {
    // Those of an app's folder are not in the database.
    'apps.list': (_input, { items }) => apps.countFunctions(items),
    'secrets.set': ({ app }) => secrets.refresh(app),
    'mcpClients.list': async (_input, { items }) => {
      for (const client of items) Object.assign(client, mcpClients.describe(client));
    },
    'mcpClients.show': async (_input, client) => {
      Object.assign(client, mcpClients.describe(client));
    },
    async 'mcpClients.update'(input, client) {
      // How it connects has changed.
      if (input.url !== undefined || input.auth !== undefined) await mcpClients.forget(client.id);
      Object.assign(client, mcpClients.describe(client));
    },
    'mcpClients.remove': ({ id }) => mcpClients.forget(id),
    // Values on this machine override those of the workspace.
    async 'secrets.get'({ name }, output, { app }) {
      const value = app === undefined ? undefined : await secrets.get(app, name);
      if (value !== undefined) output.value = value;
    },
  };
  return (name: OperationName, input: unknown, output: unknown, caller: Caller): Promise<void> | undefined => {
    if (!Object.hasOwn(followUps, name)) return undefined;
    const followUp = followUps[name as FollowedOperation] as FollowUp<OperationName>;
    return followUp(input as never, output as never, caller);
  };
}
