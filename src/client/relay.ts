import { type Door, type Input, type OperationName, type Output, operationOf, refusal } from '../contract/index.ts';
import { WorkspaceError } from '../std/index.ts';
import { simulate } from './simulations.ts';

/** A write that a function asked for and that the workspace never saw. */
export interface HeldWrite {
  readonly operation: OperationName;
  readonly input: unknown;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

export interface RelayRules {
  readonly allow: readonly OperationName[];
  readonly onHeld: (write: HeldWrite) => void;
}

/**
 * A door that lets local code use the data of a remote workspace: reads go there, writes are held back and answered as the
 * workspace would have answered, unless their operation is allowed. Operations without a route (store, secrets, methods of the
 * same app) use the local workspace.
 * @param remote workspace whose data is read
 * @param own    the local door
 * @param allow  writes that may go through
 */
export function relayDoor(remote: Door, own: Door, rules: RelayRules): Door {
  return async <N extends OperationName>(name: N, input: Input<N>, options?: Parameters<Door>[2]) => {
    const row = operationOf(name);
    if (row.route === null || row.localOnly === true || row.relay === 'local') return await own(name, input, options);
    if (row.effect === 'read' || rules.allow.includes(name)) return await remote(name, input, options);
    const answer = await simulate(name, await checked(name, input), remote);
    if (answer === undefined) {
      throw new WorkspaceError('operation_not_allowed', 403, `${name} was held back, so its answer is unknown`, {
        hint: `To let it through, use --allow ${name}.`,
      });
    }
    if (answer.changed) rules.onHeld({ operation: name, input, atMs: Date.now() });
    return answer.output as Output<N>;
  };
}

/** Checks the input, so that a write that the workspace would have refused does not look successful. */
async function checked(name: OperationName, input: unknown): Promise<unknown> {
  const { checkInput } = await import('../contract/shapes/index.ts');
  const result = checkInput(name, input ?? {});
  if (result.fits) return result.value;
  const [first] = result.problems;
  throw refusal('input_invalid', `${name}: ${first?.path || 'the input'} ${first?.message}`, {
    errors: [...result.problems],
  });
}
