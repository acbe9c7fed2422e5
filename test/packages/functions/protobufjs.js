import protobuf from 'protobufjs';

const { root } = protobuf.parse(
  'syntax = "proto3"; message M { string name = 1; repeated int32 n = 2; map<string, bool> flags = 3; }',
);
export default () => {
  const M = root.lookupType('M');
  const bytes = M.encode(M.create({ name: 'ä', n: [1, -2, 300], flags: { x: true } })).finish();
  return [[...bytes], M.toObject(M.decode(bytes)), M.verify({ name: 5 })];
};
