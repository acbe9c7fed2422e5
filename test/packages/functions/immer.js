import { enableMapSet, enablePatches, produce, produceWithPatches } from 'immer';

enableMapSet();
enablePatches();
export default () => {
  const base = { a: [1, { b: 2 }], m: new Map([['x', 1]]) };
  const next = produce(base, (draft) => {
    draft.a[1].b = 3;
    draft.m.set('y', 2);
  });
  return [
    next.a,
    [...next.m],
    base.a[1].b,
    Object.isFrozen(next),
    produceWithPatches({ x: 1 }, (draft) => {
      draft.y = 2;
    }).slice(1),
  ];
};
