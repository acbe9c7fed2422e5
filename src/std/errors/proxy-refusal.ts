/**
 * Whether undici – the package or the copy inside Node – failed because a proxy refused to open a tunnel. It has no error code for
 * that, only this message.
 */
export function isProxyRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Proxy response');
}
