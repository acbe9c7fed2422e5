// Proxies that are revoked, endless or that call back, in every place where the platform looks at a value.
export default async function (sdk) {
  const found = [];
  const isForeign = (value) => {
    const F = value?.constructor?.constructor;
    return typeof F === 'function' && F.name === 'Function' && F !== Function;
  };
  const dead = (target = {}) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const traps = new Proxy(
    {},
    {
      get:
        (_, trap) =>
        (...args) => {
          if (args.some(isForeign)) found.push(trap);
          throw dead();
        },
    },
  );
  const evil = () => [dead(), dead([]), dead(() => {}), new Proxy({}, traps), new Proxy([], traps), new Proxy(() => {}, traps)];
  const tries = [
    (value) => console.log(value, '%s %d %o %j', value),
    (value) => console.table(value),
    (value) => console.error(Object.assign(new Error('x'), { cause: value, errors: [value], name: value, stack: value })),
    (value) => structuredClone(value),
    (value) => structuredClone(new Map([[value, value]]), { transfer: [value] }),
    (value) => new Headers(value),
    (value) => new Request(value),
    (value) => new Request('http://a.example', value),
    (value) => new Request('http://a.example', { method: 'POST', body: value, headers: value, signal: value }),
    (value) => new Response(value, value),
    (value) => new Blob(value, value),
    (value) => new Blob([value]),
    (value) => new File([value], value, value),
    (value) => new FormData(value),
    (value) => new FormData().append(value, value, value),
    (value) => new URLSearchParams(value),
    (value) => new URL(value, value),
    (value) => new URLPattern(value, value),
    (value) => new TextDecoder(value).decode(value),
    (value) => new TextEncoder().encodeInto(value, value),
    (value) => new ReadableStream(value, value).getReader(value).read(value),
    (value) => new TransformStream(value, value, value),
    (value) => ReadableStream.from(value).getReader().read(),
    (value) => new CompressionStream(value),
    (value) => new Event(value, value),
    (value) => new EventTarget().addEventListener('x', value, value),
    (value) => new EventTarget().dispatchEvent(value),
    (value) => AbortSignal.any(value),
    (value) => AbortSignal.abort(value).throwIfAborted(),
    (value) => crypto.getRandomValues(value),
    (value) => crypto.subtle.digest(value, value),
    (value) => crypto.subtle.importKey(value, value, value, value, value),
    (value) => crypto.subtle.generateKey(value, value, value),
    (value) => setTimeout(value, value, value),
    (value) => clearTimeout(value),
    (value) => queueMicrotask(value),
    (value) => reportError(value),
    (value) => new MessageChannel().port1.postMessage(value, value),
    (value) => performance.mark(value, value),
    (value) => performance.measure(value, value),
    (value) => Buffer.from(value, value),
    (value) => atob(value) + btoa(value),
    (value) => fetch(value, value),
    (value) => fetch('http://a.example', { method: value, body: value, headers: value }),
    (value) => sdk.call(value, value),
    (value) => sdk.call('x', { value }),
    (value) => new DOMException(value, value),
    (value) => new Error(value, value),
    (value) => Promise.reject(value),
  ];
  for (const attempt of tries)
    for (const value of evil()) {
      try {
        await attempt(value);
      } catch (error) {
        try {
          if (isForeign(error)) found.push(String(attempt));
        } catch {}
      }
    }
  return { found };
}
