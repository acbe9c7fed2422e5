import type { Tx } from '../door/tx.ts';
import type { NewInvocation } from '../types.ts';
import { linesOf, rowOf } from './rows.ts';

/** What the event of an invocation is recorded as. */
export const invocationOrigin = { name: 'functions.invoke', emits: ['function.invoked', 'function.failed'] } as const;

/** Writes records of invocations with an event of each, and so its deliveries. */
export async function writeWithEvents(tx: Tx, invocations: readonly NewInvocation[]): Promise<void> {
  for (const invocation of invocations) {
    await tx.db
      .insertInto('invocation')
      .values(rowOf(invocation))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const lines = linesOf(invocation);
    // One by one: there may be a thousand, and a statement has room for fewer values.
    for (const line of lines) await tx.db.insertInto('log_line').values(line).execute();
    await announce(tx, invocation);
  }
}

async function announce(tx: Tx, invocation: NewInvocation): Promise<void> {
  const { id, app, trigger, wallMs, status, caller, trace } = invocation;
  const error = invocation.error === null ? null : { code: invocation.error.code, message: invocation.error.message };
  await tx.announce({
    type: status === 'ok' ? 'function.invoked' : 'function.failed',
    data: { invocation: { id, app, function: invocation.function, trigger, status, wallMs, error } },
    by: {
      caller: { type: 'system', id: caller.id, scopes: [], invocationId: id },
      trace: { ...trace, causeId: id },
    },
  });
}
