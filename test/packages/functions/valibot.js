import * as v from 'valibot';

const Login = v.pipe(
  v.object({ email: v.pipe(v.string(), v.trim(), v.email()), age: v.optional(v.pipe(v.number(), v.minValue(18)), 20) }),
  v.check(({ age }) => age < 99, 'too old'),
);
export default () => [
  v.parse(Login, { email: ' ann@example.com ' }),
  v.safeParse(Login, { email: 'x', age: 3 }).issues.map((issue) => [issue.type, issue.message, v.getDotPath(issue)]),
];
