import { decodeTime, monotonicFactory, ulid } from 'ulid';
export default () => {
  const next = monotonicFactory();
  const [a, b] = [next(1469918176385), next(1469918176385)];
  return [a.slice(0, 10), a < b, decodeTime(a), ulid().length];
};
