import { Effect, Option, pipe, Schema, Stream } from 'effect';

const program = Effect.gen(function* () {
  const a = yield* Effect.succeed(2);
  const b = yield* Effect.promise(async () => 3);
  yield* Effect.sleep('2 millis');
  return a * b;
});
export default async () => [
  await Effect.runPromise(program),
  await Effect.runPromise(Effect.all([Effect.succeed(1), Effect.succeed(2)], { concurrency: 2 })),
  await Effect.runPromise(Effect.flip(Effect.fail('no'))),
  Array.from(await Effect.runPromise(Stream.runCollect(Stream.map(Stream.make(1, 2), (x) => x + 1)))),
  pipe(
    Option.some(1),
    Option.map((x) => x + 1),
    Option.getOrNull,
  ),
  Schema.decodeUnknownSync(Schema.Struct({ a: Schema.Number }))({ a: 1 }),
];
