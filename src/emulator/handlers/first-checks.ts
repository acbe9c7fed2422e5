import type { Caller, OperationName, OperationsWhere, ParsedInput } from '../../contract/index.ts';
import { requireNamedMethod } from './functions.ts';
import type { MachineParts } from './parts.ts';

type CheckedOperation = OperationsWhere<'firstCheck', true>;
type Check<N extends OperationName> = (input: ParsedInput<N>, caller: Caller) => Promise<unknown>;

/** What the machine checks before operations on the state: they know nothing of functions. */
export function firstChecksOf(parts: MachineParts) {
  const checks: { readonly [N in CheckedOperation]: Check<N> } = {
    async 'webhooks.add'({ function: target }) {
      if (target === undefined) return;
      const slash = target.indexOf('/');
      await requireNamedMethod(parts, target.slice(0, slash), target.slice(slash + 1));
    },
  };
  return (name: OperationName, given: unknown, caller: Caller): Promise<void> | undefined => {
    if (!Object.hasOwn(checks, name)) return undefined;
    const check = checks[name as CheckedOperation] as Check<OperationName>;
    // Scope and shape come first: whoever may not do it learns nothing of functions.
    return parts.workspace.check(name, given, caller).then(async (input) => {
      await check(input as never, caller);
    });
  };
}
