import { nearest } from '../../std/index.ts';
import { eventKinds, kindsByNameOnly } from '../events.ts';
import type { EndpointProblem } from './endpoint-url.ts';

/**
 * Checks what an endpoint or a listener subscribes to: kinds (`message.received`), groups (`message.*`), or everything (`*`).
 * @returns the first problem, with the kind that was probably meant; undefined if all are known
 */
export function findSubscriptionProblem(patterns: readonly string[]): EndpointProblem | undefined {
  const wrong = patterns.find((pattern) => !knownPatterns().has(pattern));
  if (wrong === undefined) return undefined;
  const meant = nearest(wrong, [...knownPatterns()]);
  return {
    code: 'event_unknown',
    message: `There is no event "${wrong.slice(0, 80)}"`,
    hint: meant
      ? `Did you mean ${meant}?`
      : 'fn webhook events lists the kinds. message.* stands for a group, and * for all.',
  };
}

/** Whether one of the patterns matches a kind. Some kinds are so frequent that only their own name matches them. */
export function isSubscribed(patterns: readonly string[], kind: string): boolean {
  if (patterns.includes(kind)) return true;
  if ((kindsByNameOnly as readonly string[]).includes(kind)) return false;
  return patterns.includes('*') || patterns.includes(groupOf(kind));
}

let known: ReadonlySet<string> | undefined;

function knownPatterns(): ReadonlySet<string> {
  known ??= new Set(['*', ...eventKinds.map(groupOf), ...eventKinds]);
  return known;
}

const groupOf = (kind: string): string => `${kind.slice(0, kind.lastIndexOf('.'))}.*`;
