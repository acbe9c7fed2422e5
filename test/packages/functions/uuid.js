import { parse, stringify, v4, v5, v7, validate, version } from 'uuid';
export default () => [
  v5('hello', v5.URL),
  validate(v4()),
  version(v7()),
  stringify(parse('1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed')),
];
