import { assign, createActor, fromPromise, setup, toPromise } from 'xstate';

const machine = setup({ actors: { price: fromPromise(async ({ input }) => input.n * 2) } }).createMachine({
  context: { n: 0, total: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        ADD: { actions: assign({ n: ({ context, event }) => context.n + event.n }) },
        PAY: { target: 'paying', guard: ({ context }) => context.n > 0 },
      },
    },
    paying: {
      invoke: {
        src: 'price',
        input: ({ context }) => ({ n: context.n }),
        onDone: { target: 'paid', actions: assign({ total: ({ event }) => event.output }) },
      },
      after: { 60000: 'open' },
    },
    paid: { type: 'final' },
  },
  output: ({ context }) => context.total,
});
export default async () => {
  const actor = createActor(machine).start();
  const seen = [];
  actor.subscribe(({ value }) => seen.push(value));
  actor.send({ type: 'PAY' });
  actor.send({ type: 'ADD', n: 4 });
  actor.send({ type: 'PAY' });
  return [await toPromise(actor), seen, actor.getSnapshot().status];
};
