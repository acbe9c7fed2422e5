// `yield*` and `return` in async generators await with steps that vm2 forgot.
export default async () => {
  const found = [];
  async function* g() { yield* { [Symbol.asyncIterator]: () => ({ next: () => ({ then(r) { if (r.constructor !== Function) found.push('next'); r({ done: true, value: 1 }); } }), return: (v) => ({ then(r) { if (r.constructor !== Function) found.push('return'); r({ done: true, value: v }); } }) }) }; }
  const it = g();
  await it.next();
  await it.return({ then(r) { if (r.constructor !== Function) found.push('value'); r(1); } });
  return { found };
};
