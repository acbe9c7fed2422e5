import {
  concatMap,
  delay,
  filter,
  firstValueFrom,
  from,
  lastValueFrom,
  map,
  mergeMap,
  of,
  reduce,
  retry,
  throwError,
  timer,
  toArray,
} from 'rxjs';
export default async () => [
  await lastValueFrom(
    from([1, 2, 3, 4]).pipe(
      filter((x) => x % 2 === 0),
      map((x) => x * x),
      reduce((a, b) => a + b),
    ),
  ),
  await firstValueFrom(timer(2).pipe(map(() => 'late'))),
  await lastValueFrom(
    of(3, 1, 2).pipe(
      concatMap((x) => of(x).pipe(delay(x))),
      toArray(),
    ),
  ),
  await lastValueFrom(
    throwError(() => new Error('no')).pipe(
      retry(2),
      mergeMap(() => of(1)),
    ),
  ).catch((error) => error.message),
];
