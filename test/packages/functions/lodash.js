import _ from 'lodash';
export default () => [
  _.chain([3, 1, 2])
    .sortBy()
    .map((x) => x * 2)
    .value(),
  _.get({ a: [{ b: 3 }] }, 'a[0].b'),
  _.isEqual({ a: new Map([[1, 2]]) }, { a: new Map([[1, 2]]) }),
  _.cloneDeep({ d: new Date(0), r: /x/g }),
  _.words('fred, barney & pebbles'),
  _.zipObjectDeep(['a.b[0]'], [1]),
];
