import pLimit from 'p-limit';
export default async () => {
  const limit = pLimit(2);
  let running = 0;
  let most = 0;
  const results = await Promise.all(
    [5, 1, 3, 2].map((ms) =>
      limit(async () => {
        most = Math.max(most, ++running);
        await new Promise((done) => setTimeout(done, ms));
        running--;
        return ms;
      }),
    ),
  );
  return [results, most];
};
