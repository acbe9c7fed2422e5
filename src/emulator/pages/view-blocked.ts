/** Explains what the policy of a view's frame has blocked, and what to do instead. */
export function blockedInView(directive: string, address: string): string {
  const what = /^https?:|^wss?:/.test(address) ? address : undefined;
  if (directive.startsWith('connect-src'))
    return `A view may not ask ${what ?? address}: it reaches https: and wss: addresses. The workspace answers through sdk; anything else is for a Server Side Method, which the view calls`;
  if (directive.startsWith('script-src') && what !== undefined)
    return `A view may not run a script of ${what}: install the package and import it, so that it is part of the view`;
  if (directive.startsWith('script-src') && address === 'inline')
    return 'A view may not run inline script: listen with addEventListener, and import what is to run';
  if (directive.startsWith('worker-src') || address === 'blob') return 'A view may not start workers';
  if (directive.startsWith('frame-src') || directive.startsWith('child-src') || directive.startsWith('default-src'))
    return `A view may not show other pages in itself (${address}): a link with target="_blank" opens one`;
  if (directive.startsWith('img-src') || directive.startsWith('media-src') || directive.startsWith('font-src'))
    return `A view may not load ${address}: it takes such files from https: addresses, or imports them`;
  if (directive.startsWith('style-src'))
    return `A view may not load the styles of ${address}: it takes them from https: addresses, or imports them`;
  return `The policy of views (${directive}) does not allow ${address}`;
}

/** Explains a SecurityError, which names a rule of the frame that its author knows nothing of. */
export function deniedInView(message: string): string {
  if (/storage|indexed ?db|IDBFactory|Indexed Database|cookie|caches/i.test(message))
    return 'A view has no storage and no cookies: a Server Side Method can keep what is to last in sdk.store';
  if (/history/i.test(message))
    return 'A view has no address of its own: let its router keep the route in memory, for example with MemoryRouter';
  if (/frame/i.test(message)) return 'A view cannot reach the page around it: sdk has what it may know and do';
  return 'A view has no storage, cookies, workers or address of its own, and cannot reach the page around it';
}
