/**
 * The content of the panel, separate from its looks, so that a test can read it.
 *
 * @param {Pick<import('convo-fn').Customer, 'name' | 'phone' | 'email' | 'fields'>} customer
 * @param {{ direction: string, text: string | null, createdAt: string }[]} messages oldest first
 * @param {number} now in ms
 */
export function summaryOf(customer, messages, now) {
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
    facts: Object.entries(customer.fields).map(([field, value]) => [
      labelOf(field),
      textOf(value),
    ]),
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

/**
 * `lastOrder` → `Last order`
 * @param {string} field
 */
function labelOf(field) {
  const words = field.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A custom field may hold any JSON.
 * @param {unknown} value
 */
function textOf(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param {number} ms */
function duration(ms) {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h`;
  return `${Math.round(minutes / 1440)} days`;
}
