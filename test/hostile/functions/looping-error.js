export default async () => { throw Object.defineProperties(new Error('x'), { message: { get() { for (;;) {} } }, stack: { get() { for (;;) {} } } }); };
