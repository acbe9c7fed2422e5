import type { ConfirmConfig, JsonSchema } from '../../contract/function-config/index.ts';
import { limits } from '../../contract/index.ts';
import { millisecondsOf } from '../../std/index.ts';

/** Who confirms a call of a tool, and what happens if nobody does. */
export interface ConfirmRule {
  readonly by: 'never' | 'human' | 'customer';
  readonly expiresAfterMs: number;
  /** Default: handover in a conversation, otherwise deny. */
  readonly onExpire: 'deny' | 'handover' | undefined;
  /** The question; default: title and arguments. */
  readonly text: string | undefined;
  /** Only calls whose arguments match need it. */
  readonly when: JsonSchema | undefined;
}

/** Reads `config.confirm` in either of its forms. */
export function confirmRule(confirm: ConfirmConfig): ConfirmRule {
  const given = typeof confirm === 'string' ? { by: confirm } : confirm;
  return {
    by: given.by,
    expiresAfterMs: given.expiresAfter === undefined ? limits.tools.confirmationMs : millisecondsOf(given.expiresAfter),
    onExpire: given.onExpire,
    text: given.text,
    when: given.when,
  };
}
