import { parse } from 'csv-parse/sync';

const text = 'name;amount;note\nAnn;12,50;"a ""quoted"" one"\nBob;7;"two\nlines"\n';
export default () => {
  let refused;
  try {
    parse('a,b\n1\n', { columns: true });
  } catch (error) {
    refused = [error.code, error.message];
  }
  return [
    parse(text, {
      columns: true,
      delimiter: ';',
      cast: (value, { column }) => (column === 'amount' ? Number(value.replace(',', '.')) : value),
    }),
    refused,
  ];
};
