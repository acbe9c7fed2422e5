// What is returned is gone when it is looked at.
export default async function () {
  const { proxy, revoke } = Proxy.revocable({ a: 1 }, {});
  queueMicrotask(revoke);
  return { toJSON: () => proxy, then: undefined };
}
