import iconv from 'iconv-lite';
export default () => [
  iconv.encode('Grüße €', 'win1252').toString('hex'),
  iconv.decode(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'Shift_JIS'),
  iconv.decode(iconv.encode('中文', 'gbk'), 'gbk'),
  iconv.encodingExists('utf-16le'),
  iconv.decode(Buffer.from([0xff, 0xfe, 0x41, 0]), 'utf16'),
];
