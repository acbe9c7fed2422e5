// The child works, the isolate waits: whose time is it?
export default async () => { const { sync } = globalThis[Symbol.for('convo-fn.native')]; for (;;) sync('crypto.pbkdf2', 'a', 'b', 100_000, 64, 'sha512'); };
