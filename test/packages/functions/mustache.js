import Mustache from 'mustache';
export default () =>
  Mustache.render(
    '{{#people}}{{name}}{{^last}}, {{/last}}{{/people}} {{{raw}}} {{esc}} {{> part}}',
    { people: [{ name: 'Ann' }, { name: 'Bob', last: true }], raw: '<b>', esc: '<i>' },
    { part: 'p:{{esc}}' },
  );
