import { Liquid } from 'liquidjs';

const engine = new Liquid();
export default async () => [
  await engine.parseAndRender(
    '{% for p in list %}{{ p.name | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %} {{ "2026-01-02" | date: "%d.%m.%y" }} {{ 5 | divided_by: 2.0 }}',
    { list: [{ name: 'a' }, { name: 'b' }] },
  ),
  await engine.parseAndRender('{% if x %}').catch((error) => error.name),
];
