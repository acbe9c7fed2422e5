import { buildSchema, graphql, parse, print, validate } from 'graphql';

const schema = buildSchema('type Query { hello(name: String!): String list: [Int!]! }');
export default async () => [
  await graphql({
    schema,
    source: '{ hello(name: "Ann") list }',
    rootValue: { hello: ({ name }) => `Hi ${name}`, list: [1, 2] },
  }),
  validate(schema, parse('{ nope }')).map((error) => error.message),
  print(parse('query Q($a:Int=1){x(y:$a)@skip(if:true){z}}')),
];
