// Encoded, each letter becomes six: more than an isolate has room for.
export default async () => { try { return new URL(`http://x/${'é'.repeat(8_000_000)}`).href.length; } catch { return { found: [] }; } };
