import type { Flow } from '../contract/shapes/index.ts';
import { exitsOf, isWait, triggerOf } from './exits.ts';

/** The nodes that follow each node, of those that exist. */
export type Ways = ReadonlyMap<string, readonly string[]>;

export function waysOf(flow: Flow): Ways {
  return new Map(
    Object.entries(flow.nodes).map(([name, node]) => [
      name,
      [...new Set(exitsOf(node).map(({ to }) => to))].filter((to) => Object.hasOwn(flow.nodes, to)),
    ]),
  );
}

/** Every node to which some way leads from a node; itself only if a way leads back. */
export function reachableFrom(ways: Ways, start: string): Set<string> {
  const reached = new Set<string>();
  const open = [...(ways.get(start) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...(ways.get(name) ?? []));
  }
  return reached;
}

/** Nodes that no way from the trigger reaches. */
export function unreachableNodes(flow: Flow, ways: Ways): string[] {
  const { name } = triggerOf(flow);
  const reached = reachableFrom(ways, name).add(name);
  return Object.keys(flow.nodes).filter((node) => !reached.has(node));
}

/** Circles in which nothing waits, each as the nodes of one round; no two share a node at which they were found. */
export function endlessCircles(flow: Flow, ways: Ways): string[][] {
  const goes = (name: string) => {
    const node = flow.nodes[name];
    return node === undefined || isWait(node) ? [] : (ways.get(name) ?? []);
  };
  const circles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const start of Object.keys(flow.nodes)) {
    if (state.has(start)) continue;
    // Depth first, with a stack of its own: a flow may be longer than the engine's.
    const trail = [{ name: start, left: [...goes(start)] }];
    state.set(start, 'open');
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const to = top.left.shift();
      if (to === undefined) {
        state.set(top.name, 'done');
        trail.pop();
      } else if (state.get(to) === 'open') {
        const names = trail.map(({ name }) => name);
        circles.push(names.slice(names.indexOf(to)));
      } else if (!state.has(to)) {
        state.set(to, 'open');
        trail.push({ name: to, left: [...goes(to)] });
      }
    }
  }
  return circles;
}
