import PQueue, { TimeoutError } from 'p-queue';
export default async () => {
  const queue = new PQueue({ concurrency: 2, interval: 1, intervalCap: 10 });
  const order = [];
  const run = (name, turns) => async () => {
    for (let turn = 0; turn < turns; turn++) await null;
    order.push(name);
    return name;
  };
  const all = await queue.addAll([run('a', 3), run('b', 1), run('c', 1)]);
  await queue.add(run('low', 1), { priority: 0 });
  const late = await new PQueue()
    .add(() => new Promise(() => {}), { timeout: 1 })
    .catch((error) => error instanceof TimeoutError);
  await queue.onIdle();
  return [all, [...order].sort(), late, queue.size, queue.pending];
};
