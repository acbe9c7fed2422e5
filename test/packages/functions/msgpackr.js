import { Packr, pack, unpack } from 'msgpackr';

const value = { a: [1, 'ä', null], at: new Date(0), bytes: new Uint8Array([1, 2]), big: 2 ** 40 };
export default () => {
  const records = new Packr({ structures: [] });
  const back = unpack(pack(value));
  return [
    Buffer.from(pack({ a: [1, 'ä'] })).toString('hex'),
    [back.a, back.at.getTime(), [...back.bytes], back.big],
    records.unpack(records.pack([{ x: 1 }, { x: 2 }])),
  ];
};
