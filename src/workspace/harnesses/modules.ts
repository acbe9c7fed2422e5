import { type Caller, refusal } from '../../contract/index.ts';

/**
 * A module runs outside the sandbox, with all that the user of this machine may do: only somebody at it may say which one.
 * @param harnesses what somebody would like to add or change
 * @throws WorkspaceError operation_not_allowed
 */
export function requireModuleRight(
  { type, isMachine }: Caller,
  harnesses: readonly { readonly module?: string | undefined }[],
): void {
  if (isMachine === true || type === 'local' || type === 'system') return;
  if (harnesses.every(({ module }) => module === undefined)) return;
  throw refusal('operation_not_allowed', 'Only the token of this machine may name the module of a harness', {
    hint: 'It would run outside the sandbox. On the machine of the workspace: fn harness add NAME --kind agent-framework --module FILE',
  });
}
