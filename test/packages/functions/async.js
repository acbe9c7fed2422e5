import async from 'async';
export default async () => {
  const seen = [];
  const queue = async.queue(async (task) => {
    seen.push(task);
  }, 2);
  queue.push([1, 2, 3]);
  await queue.drain();
  return [
    seen,
    await async.mapLimit([1, 2], 1, async (x) => x * 2),
    await async.auto({ a: async () => 1, b: ['a', async ({ a }) => a + 1] }),
    await async
      .retry({ times: 3, interval: 1 }, async () => {
        throw new Error('no');
      })
      .catch((error) => error.message),
  ];
};
