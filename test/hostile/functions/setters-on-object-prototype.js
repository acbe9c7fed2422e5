// Setters on Object.prototype see what careless code assigns.
export default async (sdk) => {
  const found = [];
  for (const key of ['id', 'name', 'json', 'bytes', 'settle', 'operation', 'input', 'resolve', 'reject', 'pending', 'of', 'timer', 'code', 'stack', 'message', 'value', '0', '1'])
    Object.defineProperty(Object.prototype, key, { __proto__: null, configurable: true, get() { return undefined; }, set(value) { if (typeof value === 'function') found[found.length] = `${key}: ${value.name}`; } });
  const answer = await sdk.call('echo', { a: 1 });
  return { found, answer: answer.operation };
};
