import { decode, Encoder, encode } from 'cbor-x';

const value = {
  a: [1.5, 'ä', null, 2n ** 60n],
  at: new Date(0),
  bytes: new Uint8Array([1, 2]),
  set: new Map([[1, 'one']]),
};
export default () => {
  const back = decode(encode(value));
  return [
    Buffer.from(encode({ a: [1, 'ä'] })).toString('hex'),
    [back.a[0], back.a[1], String(back.a[3]), back.at.getTime(), [...back.bytes], [...back.set]],
    new Encoder({ structuredClone: true }).decode(new Encoder({ structuredClone: true }).encode(new Set([1]))).size,
  ];
};
