// What is thrown is gone when it is looked at, and so are its cause and what it holds.
export default async function () {
  const { proxy, revoke } = Proxy.revocable(new Error('x'), {});
  revoke();
  console.error(proxy);
  Promise.reject(proxy);
  throw new AggregateError([proxy, new Proxy([], { get: () => proxy })], 'all', { cause: proxy });
}
