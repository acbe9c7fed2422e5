import Joi from 'joi';

const schema = Joi.object({
  id: Joi.string().alphanum().min(3).required(),
  when: Joi.date().iso(),
  email: Joi.string().email(),
  n: Joi.number().integer().default(1),
}).with('when', 'id');
export default () => [
  schema.validate({ id: 'abc', when: '2026-01-02' }).value,
  schema
    .validate({ id: '!', email: 'x', z: 1 }, { abortEarly: false })
    .error.details.map(({ message, type }) => [message, type]),
  Joi.binary().min(2).validate(Buffer.from('a')).error.message,
  schema.validate({ id: 1 }).error.annotate(true),
  Object.keys(schema.describe().keys),
];
