export default async (sdk) => {
  const found = [];
  for (let i = 0; i < 5; i++) Object.defineProperty(Array.prototype, i, { configurable: true, get() { return undefined; }, set(value) { if (typeof value === 'function') found[5 + found.length] = `${i}: ${value.name}`; } });
  await sdk.call('echo', {});
  console.log('x', {});
  return { found: found.filter(Boolean) };
};
