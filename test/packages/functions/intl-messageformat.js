import { IntlMessageFormat } from 'intl-messageformat';
export default () => [
  new IntlMessageFormat('{n, plural, =0 {keine} one {# Nachricht} other {# Nachrichten}} von {who}', 'de').format({
    n: 1234,
    who: 'Jane',
  }),
  new IntlMessageFormat('{x, number, ::currency/EUR} am {d, date, ::yyyyMMMMdd}', 'de').format({
    x: 1234.5,
    d: new Date(Date.UTC(2024, 1, 29, 12)),
  }),
  new IntlMessageFormat('{g, select, f {sie} other {they}} <b>{x}</b>', 'en').format({
    g: 'f',
    x: 1,
    b: (parts) => `*${parts.join('')}*`,
  }),
  new IntlMessageFormat('{n, selectordinal, one {#st} two {#nd} other {#th}}', 'en').format({ n: 22 }),
];
