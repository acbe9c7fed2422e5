export default async () => {
  const found = [];
  for (const name of ['node:fs', 'fs', 'child_process', 'isolated-vm', 'node:worker_threads', 'file:///etc/passwd', 'data:text/javascript,export default 1', './index.js'])
    try { await import(name); found.push(name); } catch {}
  for (const name of ['require', 'module', '__filename', '__dirname', 'ivm', '_ivm', 'Deno', 'Bun', 'global', '__layer', '__prelude', '__begin', '$0'])
    if (name in globalThis && name !== 'global') found.push(name);
  return { found };
};
