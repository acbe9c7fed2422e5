import jsonata from 'jsonata';

const order = {
  items: [
    { name: 'A', price: 2.5, n: 4 },
    { name: 'B', price: 1, n: 1 },
  ],
  at: '2024-01-31T10:00:00Z',
};
export default async () => [
  await jsonata('$sum(items.(price * n))').evaluate(order),
  await jsonata('items[price > 2].name').evaluate(order),
  await jsonata('{ "names": items^(>n).name, "day": $fromMillis($toMillis(at), "[D01].[M01].[Y]") }').evaluate(order),
  await jsonata('$f(3)').evaluate({}, { f: async (n) => n * 2 }),
  await jsonata('$error("no")')
    .evaluate({})
    .catch(({ code, message }) => [code, message]),
];
