import type { Customer } from 'convo-fn';

/**
 * The content of the panel, separate from its looks, so that a test can read it.
 * @param messages oldest first
 * @param now in ms
 */
export function summaryOf(
  customer: Pick<Customer, 'name' | 'phone' | 'email' | 'fields'>,
  messages: { direction: string; text: string | null; createdAt: string }[],
  now: number,
) {
  const contact = customer.phone ?? customer.email ?? '';
  const name = customer.name ?? contact;
  const newest = messages.at(-1);
  return {
    name,
    contact,
    initials: name
      .split(/\s+/)
      .map((word) => [...word][0])
      .slice(0, 2)
      .join('')
      .toUpperCase(),
    facts: Object.entries(customer.fields).map(
      ([field, value]) => [labelOf(field), textOf(value)] as const,
    ),
    last: messages.slice(-4).map(({ direction, text, createdAt }) => ({
      direction,
      text: text ?? '…',
      ago: `${duration(now - Date.parse(createdAt))} ago`,
    })),
    /** How long the customer has been waiting for an answer. */
    waiting:
      newest?.direction === 'in'
        ? duration(now - Date.parse(newest.createdAt))
        : undefined,
  };
}

/** `lastOrder` → `Last order` */
function labelOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A custom field may hold any JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 1440)} days`;
}
