import Papa from 'papaparse';
export default () => [
  Papa.parse('a,b\n1,"x, y"\n2,', { header: true, dynamicTyping: true }).data,
  Papa.unparse([
    { a: 1, b: 'q"q' },
    { a: null, b: '=x' },
  ]),
  Papa.parse('a;b\n1;2').meta.delimiter,
  Papa.parse('"a').errors[0].code,
];
