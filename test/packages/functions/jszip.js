import JSZip from 'jszip';
export default async () => {
  const zip = new JSZip();
  zip.file('a.txt', 'hello '.repeat(20), { date: new Date(0) });
  zip.folder('d').file('b.bin', new Uint8Array([1, 2, 3]), { date: new Date(0) });
  const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
  const back = await JSZip.loadAsync(bytes);
  return [
    bytes.length,
    Object.keys(back.files),
    await back.file('a.txt').async('string'),
    [...(await back.file('d/b.bin').async('uint8array'))],
  ];
};
