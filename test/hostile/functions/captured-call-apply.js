// Replaces call, apply, bind and then, to see the functions and arguments of our own code.
export default async (sdk) => {
  const found = [];
  const { apply } = Reflect;
  const note = (text) => { found[found.length] = text; };
  const steal = (holder, name) => { const original = holder[name]; holder[name] = function (...args) { if (typeof this === 'function' && /sync|settle|native|enter|callback/i.test(this.name)) note(this.name); return apply(original, this, args); }; };
  for (const name of ['call', 'apply', 'bind']) steal(Function.prototype, name);
  Reflect.apply = (f, t, a) => { note(`Reflect.apply ${f?.name}`); return apply(f, t, a); };
  steal(Promise.prototype, 'then');
  steal(Array.prototype, 'push');
  steal(Map.prototype, 'get');
  await sdk.call('echo');
  console.log('x');
  await new Promise((done) => setTimeout(done, 1));
  return { found };
};
