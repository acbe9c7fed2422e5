// Everything that the platform calls back while it is at work asks the platform for something else.
export default async function (sdk) {
  let depth = 0;
  const again = () => {
    if (depth++ > 2_000) return 'x';
    console.log(evil);
    void sdk.call('x', evil).catch(() => {});
    void fetch('http://a.example', { headers: { a: evil } }).catch(() => {});
    structuredClone({ a: 1 });
    return 'x';
  };
  const evil = {
    toJSON: again,
    toString: again,
    valueOf: again,
    get name() {
      return again();
    },
    get message() {
      return again();
    },
    get stack() {
      return again();
    },
    [Symbol.toPrimitive]: again,
    [Symbol.iterator]: function* () {
      yield again();
    },
  };
  for (const use of [
    () => console.log(evil),
    () => console.table([evil]),
    () => new Headers([[evil, evil]]),
    () => new Response(evil),
    () => sdk.call('x', evil),
    () => new URL(evil),
    () => reportError(evil),
  ]) {
    try {
      await use();
    } catch {}
  }
  return evil;
}
