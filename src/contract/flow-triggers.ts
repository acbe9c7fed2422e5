import type { EventKind } from './events.ts';

/** The triggers of flows that an event of this kind may be. It may also let a flow go on that waits for it. */
export const flowTriggers: Readonly<Partial<Record<EventKind, readonly string[]>>> = {
  'message.received': ['message.received', 'template.replied'],
  'conversation.created': ['conversation.created'],
  'conversation.assigned': ['conversation.assigned'],
};
