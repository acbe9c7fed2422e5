// Getters that run while the result is turned into JSON run inside, as the function's own code.
export default async () => {
  let calls = 0;
  return { get a() { calls++; globalThis.JSON = null; Object.prototype.toJSON = () => 'replaced'; return 1; }, get b() { return calls; } };
};
