/**
 * Amounts are whole cents everywhere; people read and write them in euros.
 *
 * @param {number} cents
 * @param {string} [language]
 */
export function formatMoney(cents, language = 'en') {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'EUR',
  }).format(cents / 100);
}

/**
 * `39.90` → 3990, without the rounding of floating point.
 *
 * @param {string} text
 * @returns {number | undefined}
 */
export function parseMoney(text) {
  const [, euros, cents = '0'] =
    /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return euros === undefined
    ? undefined
    : Number(euros) * 100 + Number(cents.padEnd(2, '0'));
}
