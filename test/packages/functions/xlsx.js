import * as XLSX from 'xlsx';
export default () => {
  const book = XLSX.utils.book_new();
  const sheet = XLSX.utils.json_to_sheet([
    { order: 'A-17', price: 12.5 },
    { order: 'ü', price: 3 },
  ]);
  XLSX.utils.book_append_sheet(book, sheet, 'Orders');
  const back = XLSX.read(XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }), { type: 'buffer' });
  const text = XLSX.read('a;b\n1;2\n', { type: 'string' });
  return [
    XLSX.utils.sheet_to_json(back.Sheets.Orders),
    XLSX.utils.sheet_to_csv(back.Sheets.Orders, { FS: ';' }),
    XLSX.utils.sheet_to_json(text.Sheets.Sheet1, { header: 1 }),
    XLSX.write(book, { type: 'string', bookType: 'html' }).includes('<td'),
  ];
};
