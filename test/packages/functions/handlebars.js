import Handlebars from 'handlebars';

Handlebars.registerHelper('loud', (text) => text.toUpperCase());
const template = Handlebars.compile(
  '{{#each items}}{{@index}}:{{loud name}}{{#if last}}.{{else}},{{/if}}{{/each}} {{{raw}}} {{safe}}',
);
export default () => template({ items: [{ name: 'a' }, { name: 'b', last: true }], raw: '<b>', safe: '<i>' });
