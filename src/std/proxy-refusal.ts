/**
 * Whether undici – a package of its own, and inside Node – failed because a proxy refused to open a tunnel. It has no code of its own
 * for that, only these words.
 */
export function isProxyRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Proxy response');
}
