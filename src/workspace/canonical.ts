/** JSON with the keys of every object in order: equal values, equal text. Undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

export function sha256Hex(text: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}

export function hmac(secret: string, text: string): string {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', secret).update(text).digest('base64url');
}

/** Compares without telling by the time how much was right. */
export function sameText(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
