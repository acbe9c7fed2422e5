import { camelCase, chunk, debounce, groupBy, merge, orderBy, template } from 'lodash-es';
export default () => [
  groupBy([6.1, 4.2, 6.3], Math.floor),
  chunk([1, 2, 3], 2),
  merge({ a: { b: 1 } }, { a: { c: 2 } }),
  orderBy([{ a: 2 }, { a: 1 }], 'a'),
  camelCase('Foo bar_baz'),
  template('Hi <%= name %>')({ name: 'Ann' }),
  typeof debounce(() => 1, 5).cancel,
];
