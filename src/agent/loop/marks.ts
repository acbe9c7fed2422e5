import type { AssistantMessage, UserMessage } from '../types.ts';

/** Who wrote it, as a line of JSON says. */
export function nameUser(author: UserMessage['author']): 'customer' | 'colleague' | 'note' {
  return author === 'agent' ? 'colleague' : author === 'system' ? 'note' : 'customer';
}

/**
 * Whether words of a customer may be sent as they are, next to lines of JSON and marks of ours: no line of them begins like one of those.
 * Others belong into a line of JSON themselves.
 */
export function isPlain({ content, author }: UserMessage): boolean {
  if (nameUser(author) !== 'customer') return false;
  const texts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  return !texts.some((text) => likeOurs.test(text));
}

const likeOurs = /^[^\p{L}\p{N}\n\r\u2028\u2029]*(?:[[{［【]|the conversation |what came since )/imu;

/**
 * Notes about what happened, and a person of the team who wrote in the meantime, must not read as if the customer said it; nor what a
 * customer writes as if it were one of them.
 */
export function markUser(author: UserMessage['author'], text: string): string {
  if (author === 'system') return `[Note] ${text}`;
  if (author === 'agent') return `[A colleague wrote] ${text}`;
  return likeMarks.test(text) ? `[The customer wrote] ${text}` : text;
}

const likeMarks = /^[^\p{L}\p{N}\n\r\u2028\u2029]*[[{［【]\s*(?:note|a colleague|the customer)/imu;

export function markAnswer(author: AssistantMessage['author']): string {
  return author === 'agent' ? '[A colleague wrote to the customer] ' : '';
}
