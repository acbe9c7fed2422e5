// Classes that stand in for what intrinsics make of themselves.
export default async () => {
  const found = [];
  Object.defineProperty(Array, Symbol.species, { get: () => class { constructor() { return new Proxy([], { set(target, key, value) { if (typeof value === 'function') found.push(String(key)); target[key] = value; return true; } }); } } });
  ArrayBuffer.prototype.constructor = { [Symbol.species]: class { constructor() { return new ArrayBuffer(1e6); } } };
  await new Promise((done) => setTimeout(done, 1));
  await crypto.subtle.digest('SHA-1', new Uint8Array(4));
  console.log([1, 2, 3]);
  return { found };
};
