import tar from 'tar-stream';

export default async () => {
  const packed = tar.pack();
  packed.entry({ name: 'a.txt', mtime: new Date(0) }, 'grüße');
  packed.finalize();
  const entries = [];
  const unpacked = tar.extract();
  unpacked.on('entry', ({ name, size }, content, next) => {
    let text = '';
    content.on('data', (piece) => {
      text += piece;
    });
    content.on('end', () => {
      entries.push([name, size, text]);
      next();
    });
  });
  await new Promise((resolve, reject) => {
    unpacked.on('finish', resolve).on('error', reject);
    packed.pipe(unpacked);
  });
  return entries;
};
