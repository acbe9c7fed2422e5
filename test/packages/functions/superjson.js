import superjson from 'superjson';
export default () => {
  const value = {
    d: new Date(0),
    m: new Map([['a', new Set([1n])]]),
    u: undefined,
    r: /x/gi,
    n: NaN,
    e: new Error('no'),
  };
  const text = superjson.stringify(value);
  const back = superjson.parse(text);
  return [text, back.d.toISOString(), [...back.m.get('a')].map(String), 'u' in back, String(back.r), back.e.message];
};
