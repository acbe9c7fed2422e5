import nunjucks from 'nunjucks';

const environment = new nunjucks.Environment(null, { autoescape: true });
environment.addFilter('euro', (cents) => `${(cents / 100).toFixed(2)} €`);
export default () => [
  environment.renderString('{% for i in items %}{{ loop.index }}. {{ i.name }} {{ i.price | euro }}\n{% endfor %}', {
    items: [{ name: '<Tea>', price: 250 }],
  }),
  environment.renderString('{% set x = [3, 1, 2] %}{{ x | sort | join("-") }}{% if none %}a{% else %}b{% endif %}', {}),
];
