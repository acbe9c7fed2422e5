import Ajv from 'ajv';

const ajv = new Ajv({ allErrors: true });
const validate = ajv.compile({
  type: 'object',
  properties: { a: { type: 'integer', minimum: 2 }, b: { enum: ['x', 'y'] } },
  required: ['a'],
  additionalProperties: false,
});
export default () => [
  validate({ a: 3, b: 'x' }),
  validate({ a: 1.5, b: 'z', c: 1 }),
  validate.errors,
  ajv.errorsText(validate.errors),
];
