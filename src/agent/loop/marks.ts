import type { AssistantMessage, UserMessage } from '../types.ts';

/** Notes about what happened, and a person of the team who wrote in the meantime, must not read as if the customer said it. */
export function markUser(author: UserMessage['author']): string {
  return author === 'system' ? '[Note] ' : author === 'agent' ? '[A colleague wrote] ' : '';
}

export function markAnswer(author: AssistantMessage['author']): string {
  return author === 'agent' ? '[A colleague wrote to the customer] ' : '';
}
