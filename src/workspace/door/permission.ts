import { type Caller, type Operation, type OperationName, refusal, type Scope } from '../../contract/index.ts';

/**
 * Checks that this caller may use this operation at all.
 * @throws WorkspaceError token_scope, operation_not_allowed
 */
export function permit(name: OperationName, operation: Operation, caller: Caller): void {
  if (operation.onlyApp !== undefined && caller.app !== operation.onlyApp && caller.type !== 'system') {
    throw refusal('operation_not_allowed', `${name} is for functions of ${operation.onlyApp} only`);
  }
  if (caller.type === 'function' && !operation.faces.includes('sdk')) {
    throw refusal('operation_not_allowed', `${name} is not part of the sdk`);
  }
  if (!allows(caller.scopes, operation.scope)) {
    throw refusal('token_scope', `${name} needs the scope ${operation.scope}`, {
      details: { needed: operation.scope, given: [...caller.scopes] },
      hint: 'Create a token with this scope: fn token create NAME --scope …',
    });
  }
}

/** Checks that a function accesses only the data of its own app. */
export function permitApp(name: OperationName, input: unknown, caller: Caller): void {
  if (caller.type !== 'function' || typeof input !== 'object' || input === null || !('app' in input)) return;
  if (input.app !== caller.app) throw refusal('operation_not_allowed', `${name}: a function sees its own app only`);
}

/** The app of the calling function, for data that is stored by app. */
export function appOf(caller: Caller): string {
  if (caller.app === undefined) throw refusal('operation_not_allowed', 'Only functions of an app may use this');
  return caller.app;
}

function allows(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.includes(needed) || scopes.includes('admin');
}
