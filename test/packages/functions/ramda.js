import * as R from 'ramda';
export default () => [
  R.pipe(
    R.filter((x) => x > 1),
    R.map(R.multiply(2)),
    R.sum,
  )([1, 2, 3]),
  R.groupBy(R.prop('k'), [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ]),
  R.assocPath(['a', 0, 'b'], 1, {}),
  R.equals(new Set([1, [2]]), new Set([1, [2]])),
  R.curry((a, b, c) => a + b + c)(1)(2)(3),
];
