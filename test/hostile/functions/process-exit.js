export default async () => {
  const found = [];
  for (const name of ['exit', 'kill', 'abort', 'reallyExit', 'binding', 'dlopen', '_linkedBinding', 'mainModule', 'send', 'disconnect', 'getBuiltinModule']) {
    try { const f = globalThis.process?.[name]; if (typeof f === 'function') { f.call(globalThis.process, 1); found.push(name); } } catch {}
  }
  return { found };
};
