// What the platform reads of objects later, put where every object has it.
export default async function (sdk) {
  const names = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'status', 'headers', 'body', 'json', 'error', 'name', 'message', 'stack', 'cause', 'errors', 'code', 'id', 'of', 'settle', 'asked', 'timer', 'bytes', 'limits', 'operation', 'input', 'redirect', 'url', 'signal', 'type', 'method', 'kind', 'resolve', 'reject', 't', 'v', 'at', 'n', 'length', 'index', 'done', 'next', 'return', 'transfer', 'depth', 'colors', 'stream', 'fatal', 'pull', 'cancel', 'start', 'size', 'highWaterMark', '0', '1', '2', 'toJSON', 'constructor', 'then'];
  const tapped = [];
  for (const name of names) {
    if (name === 'value' || name === 'get' || name === 'set') continue;
    try {
      Object.defineProperty(Object.prototype, name, {
        __proto__: null,
        configurable: true,
        get() {
          tapped.push(this);
          return undefined;
        },
        set(value) {
          tapped.push(this, value);
        },
      });
    } catch {}
  }
  const found = [];
  const uses = [
    () => console.log({ a: new Error('x') }),
    () => fetch('http://a.example'),
    () => sdk.call('x', {}),
    () => crypto.subtle.digest('SHA-256', new Uint8Array(1)),
    () => new Response('x', {}).text(),
    () => structuredClone({ a: [1] }),
    () => new Promise((done) => setTimeout(done, 1)),
    () => new URL('http://a.example/?x').searchParams.get('x'),
  ];
  for (const use of uses) {
    try {
      await use();
    } catch {}
  }
  for (const name of names) if (name !== 'constructor') delete Object.prototype[name];
  for (const value of tapped) {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) continue;
    if (['sync', 'start', 'log'].every((key) => Object.hasOwn(value, key))) found.push('the way out');
    const F = value.constructor?.constructor;
    if (typeof F === 'function' && F.name === 'Function' && F !== Function) found.push('a foreign object');
  }
  return { found };
}
