// One call of hours, many times.
export default async () => {
  const { sync } = globalThis[Symbol.for('convo-fn.native')];
  const found = [];
  for (const args of [['crypto.pbkdf2', 'a', 'b', 2_000_000, 1_048_576, 'sha512'], ['crypto.scrypt', 'a', 'b', 64, 2 ** 16, 8, 16], ['zlib.gzip', new Uint8Array(20_000_000), 9], ['zlib.brotliCompress', new Uint8Array(20_000_000), 11]])
    try { sync(...args); found.push(args[0]); } catch {}
  return { found };
};
