import type { Output } from '../../contract/index.ts';
import type { Message } from '../model/chat.ts';
import { Square } from './parts.tsx';
import { ask, at, go, query } from './router.ts';

type Customer = Output<'customers.get'>;
type ConversationOf = Output<'conversations.get'>;

export interface SideProps {
  readonly conversation: ConversationOf;
  readonly customer: Customer;
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
}

/** On narrow screens, which of the three is seen. */
export function Sides() {
  const pane = query.value.get('pane') ?? 'desk';
  const sides = [
    ['phone', 'Customer'],
    ['desk', 'Desk'],
    ['details', 'Details'],
  ] as const;
  return (
    <nav class="bar sides" data-only="narrow" aria-label="Side">
      <div class="seg">
        {sides.map(([side, title]) => (
          <button key={side} type="button" aria-pressed={pane === side} onClick={() => ask({ pane: side })}>
            {title}
          </button>
        ))}
      </div>
    </nav>
  );
}

export function Back() {
  return (
    <span data-back>
      <Square icon="left" label="Back to the conversations" onClick={() => go(at({ page: 'inbox' }))} />
    </span>
  );
}
