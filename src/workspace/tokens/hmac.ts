export function hmac(secret: string, text: string): string {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', secret).update(text).digest('base64url');
}

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
