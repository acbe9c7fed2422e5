// Call sites of host frames would carry the host's `this` and functions.
export default async (sdk) => {
  const found = [];
  Error.prepareStackTrace = (_, sites) => {
    for (const site of sites) {
      found.push(site.getFileName?.() ?? '', String(site.getFunctionName?.() ?? ''));
      for (const get of ['getThis', 'getFunction']) {
        try {
          const value = site[get]?.();
          if (value && value !== globalThis && value.constructor?.constructor && value.constructor.constructor !== Function) found.push('escaped');
        } catch {}
      }
    }
    return sites.map(String).join('\n');
  };
  try { null.x; } catch (e) { e.stack; }
  try { await sdk.call('refuse'); } catch (e) { e.stack; }
  try { await fetch('https://example.com/'); } catch (e) { e.stack; }
  try { structuredClone(() => {}); } catch (e) { e.stack; }
  return { found };
};
