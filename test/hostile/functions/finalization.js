// Callbacks of the garbage collector come when it likes: also when nobody's clock runs.
export default async (sdk) => {
  const registry = new FinalizationRegistry(() => { sdk.call('late'); for (;;) {} });
  globalThis.kept = registry;
  for (let i = 0; i < 1_000; i++) registry.register({ a: new Array(1_000).fill(i) }, i);
  let list = [];
  for (let i = 0; i < 3_000; i++) list = new Array(10_000).fill(i);
  return list.length;
};
