import * as yup from 'yup';

const schema = yup.object({
  name: yup.string().required(),
  age: yup.number().min(18).integer(),
  tags: yup.array().of(yup.string()).default(['x']),
  site: yup.string().url().nullable(),
});
export default async () => [
  await schema.validate({ name: 'Ann', age: '20' }),
  await schema.validate({ age: 3.5, site: 'x' }, { abortEarly: false }).catch((error) => error.errors.sort()),
];
