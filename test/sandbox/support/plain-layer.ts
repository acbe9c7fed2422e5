/**
 * The least that can stand in for the web layer and the sdk: enough to test the room's own work without theirs.
 * Timers, a console, a report of errors; `sdk.call`, `sdk.argument`.
 */
export const plainLayer = `
globalThis.__layer = (native) => {
  const open = new Map(); let last = 0;
  const begin = (name, json, bytes) => new Promise((resolve, reject) => { const id = ++last; open.set(id, { resolve, reject }); native.start(id, name, JSON.stringify(json), bytes); });
  const text = (value) => value instanceof Error ? value.stack : typeof value === 'string' ? value : JSON.stringify(value);
  globalThis.console = {};
  for (const level of ['debug', 'info', 'warn', 'error']) console[level] = (...values) => native.log(level, values.map(text).join(' '));
  console.log = console.info;
  globalThis.setTimeout = (f, ms) => { const id = ++last; open.set(id, { resolve: f, reject() {} }); native.start(id, 'timer', JSON.stringify({ ms })); return id; };
  globalThis.clearTimeout = (id) => { if (open.delete(id)) native.start(0, 'cancel', JSON.stringify({ id })); };
  globalThis.fetch = async (url, init = {}) => {
    const { json, bytes } = await begin('fetch', { url: String(url), method: init.method ?? 'GET', headers: [], redirect: 'follow' }, init.body);
    return { ...JSON.parse(json), body: bytes };
  };
  globalThis.nativeSync = (...args) => { const value = native.sync(...args); if (value instanceof Error) throw value; return value; };
  const now = Date.now; let offset = 0;
  Date.now = () => now() + offset;
  globalThis.process = {};
  const report = (error, depth = 0) => {
    if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error), stack: '' };
    const read = (key) => { try { const value = error[key]; return typeof value === 'string' ? value : undefined; } catch { return undefined; } };
    let cause; try { cause = error.cause; } catch {}
    return { name: read('name') ?? 'Error', message: read('message') ?? '', stack: read('stack') ?? '', code: read('code'), ...(cause !== undefined && depth < 3 && { cause: report(cause, depth + 1) }) };
  };
  return {
    settle(id, error, json, bytes) { const it = open.get(id); open.delete(id); if (!it) return; if (error !== undefined) { const { name, message } = JSON.parse(error); const e = name === 'TypeError' ? new TypeError(message) : Object.assign(new Error(message), { name }); it.reject(e); } else it.resolve({ json, bytes }); },
    report, setClock(ms) { offset = ms; }, setEnvironment(values) { process.env = Object.freeze(values); },
  };
};0;`;

export const plainPrelude = `
{
  const { stringify } = JSON;
  globalThis.__prelude = {
    open: (request, body, call) => ({ argument: request, body, call }),
    close: async (value) => value instanceof Uint8Array ? { json: '"bytes"', body: value } : { json: stringify(value) ?? 'null' },
  };
};0;`;
