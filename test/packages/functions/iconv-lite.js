import iconv from 'iconv-lite';

async function streamed() {
  const decoder = iconv.decodeStream('win1252');
  decoder.write(Buffer.from([0x47, 0xfc]));
  decoder.end(Buffer.from([0x80]));
  let text = '';
  for await (const piece of decoder) text += piece;
  return text;
}

export default async () => [
  await streamed(),
  iconv.encode('Grüße €', 'win1252').toString('hex'),
  iconv.decode(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'Shift_JIS'),
  iconv.decode(iconv.encode('中文', 'gbk'), 'gbk'),
  iconv.encodingExists('utf-16le'),
  iconv.decode(Buffer.from([0xff, 0xfe, 0x41, 0]), 'utf16'),
];
