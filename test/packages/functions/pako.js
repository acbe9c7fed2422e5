import * as pako from 'pako';
export default () => {
  const text = 'abc '.repeat(100);
  const small = pako.gzip(text);
  let refused;
  try {
    pako.inflate(new Uint8Array([1, 2, 3]));
  } catch (error) {
    refused = String(error.message ?? error);
  }
  return [pako.ungzip(small, { to: 'string' }) === text, pako.deflate(text).length, [...pako.deflateRaw('x')], refused];
};
