import { type Method, type OperationName, operationNames, operationOf } from '../../contract/index.ts';

interface Node {
  readonly literal: Map<string, Node>;
  param?: Node;
  readonly leaves: Map<Method, Leaf>;
}

interface Leaf {
  readonly operation: OperationName;
  /** Names of the path parameters, in order. Rows with the same path may name them differently. */
  readonly params: readonly string[];
}

/** The route of a path below `/api/<slug>`. */
export interface Match {
  /** Supported methods. */
  readonly methods: ReadonlySet<Method>;
  /** The operation of a method, with the input from the path. */
  to(method: Method): { operation: OperationName; params: Readonly<Record<string, string>> } | undefined;
}

const root = makeTree();

function makeTree(): Node {
  const tree = newNode();
  for (const operation of operationNames) {
    const { route } = operationOf(operation);
    if (route === null) continue;
    const [method, path = ''] = route.split(' ');
    const params: string[] = [];
    let node = tree;
    for (const segment of path.slice(1).split('/')) {
      if (!segment.startsWith(':')) {
        node = literalOf(node, segment);
        continue;
      }
      params.push(segment.slice(1));
      node.param ??= newNode();
      node = node.param;
    }
    node.leaves.set(method as Method, { operation, params });
  }
  return tree;
}

function newNode(): Node {
  return { literal: new Map(), leaves: new Map() };
}

function literalOf(node: Node, segment: string): Node {
  const known = node.literal.get(segment);
  if (known) return known;
  const made = newNode();
  node.literal.set(segment, made);
  return made;
}

/** Finds the operations at a path (`/customers/cus_1`). Segments are decoded after splitting. */
export function matchRoute(path: string): Match | undefined {
  const values: string[] = [];
  const node = walk(root, path.slice(1).split('/'), 0, values);
  if (!node) return undefined;
  return {
    methods: new Set(node.leaves.keys()),
    to(method) {
      const leaf = node.leaves.get(method);
      return (
        leaf && {
          operation: leaf.operation,
          params: Object.fromEntries(leaf.params.map((name, i) => [name, values[i] ?? ''])),
        }
      );
    },
  };
}

function walk(node: Node, segments: readonly string[], at: number, values: string[]): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaves.size > 0 ? node : undefined;
  const decoded = decode(segment);
  if (decoded === undefined || decoded === '') return undefined;
  const literal = node.literal.get(decoded);
  const found = literal && walk(literal, segments, at + 1, values);
  if (found || !node.param) return found;
  values.push(decoded);
  const below = walk(node.param, segments, at + 1, values);
  if (!below) values.pop();
  return below;
}

export function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
