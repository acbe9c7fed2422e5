// What is called when garbage goes belongs to no invocation: an endless one would hold the isolate for ever.
export default async () => {
  const registry = new FinalizationRegistry(() => {
    for (;;);
  });
  globalThis.kept = registry;
  for (let i = 0; i < 2_000; i++) registry.register({}, i);
  let junk = [];
  for (let i = 0; i < 200_000; i++) junk.push({ i });
  junk = null;
  return typeof registry.unregister;
};
