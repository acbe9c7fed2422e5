import { type Caller, type ParsedInput, refusal } from '../../contract/index.ts';

type Seed = ParsedInput<'workspace.import'>['seed'];

/** Whether a seed names secrets of this machine, by `secretFrom`. */
export function namesSecrets({ webhooks = [], harnesses = [], mcpClients = [] }: Seed): boolean {
  const holders = [
    ...webhooks,
    ...harnesses,
    ...mcpClients.map(({ auth }): { readonly secretFrom?: string | undefined } => auth ?? {}),
  ];
  return holders.some(({ secretFrom }) => secretFrom !== undefined);
}

/**
 * A secret goes to the address beside its name: only somebody at this machine may say to which.
 * @throws WorkspaceError operation_not_allowed
 */
export function requireSecretsRight({ type, isMachine }: Caller, seed: Seed): void {
  if (isMachine === true || type === 'local' || type === 'system' || !namesSecrets(seed)) return;
  throw refusal('operation_not_allowed', 'Only the token of this machine may load a seed that names its secrets', {
    hint: 'secretFrom would send them to the address beside it. On the machine of the workspace: fn workspace import FILE',
  });
}
