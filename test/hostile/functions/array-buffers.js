export default async () => { const list = []; for (;;) { try { list.push(new Uint8Array(16_000_000).fill(1)); } catch { return { found: [] }; } } };
