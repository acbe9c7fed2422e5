import {
  array,
  assert,
  coerce,
  create,
  defaulted,
  number,
  object,
  optional,
  refine,
  StructError,
  string,
  validate,
} from 'superstruct';

const Order = object({
  id: string(),
  n: defaulted(
    refine(number(), 'whole', (n) => Number.isInteger(n) || 'Not whole'),
    1,
  ),
  tags: optional(array(string())),
});
export default () => {
  const [error] = validate({ id: 1, n: 1.5, tags: ['a', 2] }, Order);
  let thrown;
  try {
    assert({}, Order);
  } catch (caught) {
    thrown = [caught instanceof StructError, caught.path, caught.message];
  }
  return [
    error.failures().map(({ path, message }) => [path.join('.'), message]),
    create({ id: 'x' }, Order),
    create('5', coerce(number(), string(), Number)),
    thrown,
  ];
};
