import type { AssistantMessage, UserMessage } from '../types.ts';

/** Who wrote it, as a line of JSON says. */
export function nameUser(author: UserMessage['author']): 'customer' | 'colleague' | 'note' {
  return author === 'agent' ? 'colleague' : author === 'system' ? 'note' : 'customer';
}

/** Notes about what happened, and a person of the team who wrote in the meantime, must not read as if the customer said it. */
export function markUser(author: UserMessage['author']): string {
  return author === 'system' ? '[Note] ' : author === 'agent' ? '[A colleague wrote] ' : '';
}

export function markAnswer(author: AssistantMessage['author']): string {
  return author === 'agent' ? '[A colleague wrote to the customer] ' : '';
}
