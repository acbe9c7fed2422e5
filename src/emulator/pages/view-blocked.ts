/** Explains what the policy of a view's frame has blocked, and what to do instead. */
export function blockedInView(directive: string, address: string): string {
  const what = /^https?:|^wss?:/.test(address) ? address : undefined;
  if (directive.startsWith('connect-src'))
    return `The browser blocked a request of this view to ${what ?? address}: a view may connect to https: and wss: addresses only. Reach the workspace through sdk, and anything else through a Server Side Method that the view calls`;
  if (directive.startsWith('script-src') && what !== undefined)
    return `The browser blocked a script from ${what}: a view runs only what it imports. Install the package and import it`;
  if (directive.startsWith('script-src') && address === 'inline')
    return 'The browser blocked an inline script: a view runs only what it imports. Listen with addEventListener instead of onclick="…"';
  if (directive.startsWith('worker-src') || address === 'blob')
    return 'The browser blocked a worker: a view may not start any. Let a Server Side Method do the work';
  if (directive.startsWith('frame-src') || directive.startsWith('child-src') || directive.startsWith('default-src'))
    return `The browser blocked a frame with ${address}: a view may not contain other pages. Open it with a link that has target="_blank"`;
  if (directive.startsWith('img-src') || directive.startsWith('media-src') || directive.startsWith('font-src'))
    return `The browser blocked ${address}: a view loads such files from https: addresses only. Use one, or import the file`;
  if (directive.startsWith('style-src'))
    return `The browser blocked the styles of ${address}: a view loads styles from https: addresses only. Use one, or import the file`;
  return `The policy of views (${directive}) does not allow ${address}`;
}

/** Explains a SecurityError, which names a rule of the frame that its author knows nothing of. */
export function deniedInView(message: string): string {
  if (/storage|indexed ?db|IDBFactory|Indexed Database|cookie|caches/i.test(message))
    return 'A view has no storage and no cookies. Keep lasting data in sdk.store, in a Server Side Method that the view calls';
  if (/history/i.test(message))
    return 'A view has no address of its own. Let its router keep the route in memory, for example with MemoryRouter';
  if (/frame/i.test(message))
    return 'A view cannot reach the page around it. Use sdk, which has what a view may know and do';
  return 'A view has no storage, cookies, workers or address of its own, and cannot reach the page around it';
}
