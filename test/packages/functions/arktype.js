import { type } from 'arktype';

const User = type({ name: 'string', 'age?': 'number > 0', mail: 'string.email' });
export default () => [
  User({ name: 'x', age: -1, mail: 'no' }).summary,
  User({ name: 'x', mail: 'a@b.example' }),
  type('string.integer.parse')('42'),
  type(['number', '@', 'in cents']).allows(3),
];
