import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Range } from '../model/row-window.ts';

interface Made<Item> {
  readonly source: unknown;
  readonly before: Item | undefined;
  readonly node: VNode;
}

/**
 * The nodes of some rows of a list. A node is made once for what it shows, and preact does not look into one that it has seen: rows cost
 * next to nothing when another one comes, or a letter is typed beside them.
 * @param range which rows
 * @param sourceOf what the node of an item shows: the same object means the same node
 * @param around what else the nodes show: if one of these is another, all are made anew
 */
export function useNodes<Item extends { readonly id: string }>(
  items: readonly Item[],
  range: Range,
  sourceOf: (item: Item) => unknown,
  make: (item: Item, before: Item | undefined) => VNode,
  around: readonly unknown[],
): VNode[] {
  const kept = useRef({ around, made: new Map<string, Made<Item>>() });
  const isSame = kept.current.around.every((value, index) => value === around[index]);
  const known = isSame ? kept.current.made : new Map<string, Made<Item>>();
  const made = new Map<string, Made<Item>>();
  const nodes = items.slice(range.from, range.to).map((item, index) => {
    const source = sourceOf(item);
    const before = items[range.from + index - 1];
    const old = known.get(item.id);
    const isKnown = old !== undefined && old.source === source && old.before?.id === before?.id;
    const one = isKnown ? old : { source, before, node: make(item, before) };
    made.set(item.id, one);
    return one.node;
  });
  kept.current = { around, made };
  return nodes;
}
