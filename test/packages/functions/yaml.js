import { parse, parseDocument, stringify } from 'yaml';

const text = 'a: &x [1, 2]\nb: *x\nc: |\n  two\n  lines\n# note\nd: 2026-01-02\n';
export default () => {
  const doc = parseDocument(text);
  doc.set('e', true);
  return [
    parse(text),
    stringify({ x: [1, { y: 'z' }], t: 'a: b' }),
    String(doc),
    parseDocument('a: [').errors.map((error) => error.code),
  ];
};
