import { decompressSync, gunzipSync, gzipSync, strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const text = 'hällo '.repeat(50);
export default () => {
  const zip = zipSync(
    { 'a.txt': strToU8(text), d: { 'b.txt': [strToU8('b'), { level: 0 }] } },
    { mtime: '2020-01-01T00:00' },
  );
  return [
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes).length]),
    strFromU8(gunzipSync(gzipSync(strToU8(text), { mtime: 0 }))) === text,
    strFromU8(decompressSync(gzipSync(strToU8('x')))),
  ];
};
