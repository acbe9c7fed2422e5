// Errors that came from outside must be of this realm, without the host's stack.
export default async (sdk) => {
  const found = [];
  const look = (e) => {
    found.push(String(e?.stack), String(e?.message));
    let proto = e;
    while ((proto = Object.getPrototypeOf(proto ?? null)) !== null) if (proto.constructor?.constructor !== Function && proto !== Object.prototype) found.push('foreign realm');
  };
  for (const attempt of [() => sdk.call('refuse'), () => fetch('http://[bad'), () => fetch('https://example.com/'), () => crypto.subtle.importKey('raw', new Uint8Array(3), 'AES-GCM', false, []), () => structuredClone(Symbol()), () => new URL('::'), () => atob('*'), () => { (function f() { f(); })(); }, () => new Array(-1), () => import('node:fs')]) {
    try { await attempt(); } catch (e) { try { look(e); } catch {} }
  }
  return { found: found.filter((text) => text === 'foreign realm'), said: found };
};
