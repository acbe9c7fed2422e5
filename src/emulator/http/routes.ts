import { type Method, type OperationName, operationNames, operationOf } from '../../contract/index.ts';

interface Node {
  readonly literal: Map<string, Node>;
  param?: { readonly name: string; readonly node: Node };
  readonly methods: Map<Method, OperationName>;
}

/** What an address below `/api/<slug>` leads to. */
export interface Match {
  readonly methods: ReadonlyMap<Method, OperationName>;
  readonly params: Readonly<Record<string, string>>;
}

const root = makeTree();

function makeTree(): Node {
  const tree = newNode();
  for (const name of operationNames) {
    const { route } = operationOf(name);
    if (route === null) continue;
    const [method, path = ''] = route.split(' ');
    let node = tree;
    for (const segment of path.slice(1).split('/'))
      node = segment.startsWith(':') ? paramOf(node, segment.slice(1)) : literalOf(node, segment);
    node.methods.set(method as Method, name);
  }
  return tree;
}

function newNode(): Node {
  return { literal: new Map(), methods: new Map() };
}

function literalOf(node: Node, segment: string): Node {
  const known = node.literal.get(segment);
  if (known) return known;
  const made = newNode();
  node.literal.set(segment, made);
  return made;
}

function paramOf(node: Node, name: string): Node {
  if (node.param && node.param.name !== name) throw new Error(`two names for one segment: ${node.param.name}, ${name}`);
  node.param ??= { name, node: newNode() };
  return node.param.node;
}

/** Finds the operations at a path (`/customers/cus_1`); a segment is decoded after it was cut. */
export function matchRoute(path: string): Match | undefined {
  const segments = path.slice(1).split('/');
  const params: Record<string, string> = Object.create(null);
  const node = walk(root, segments, 0, params);
  return node && { methods: node.methods, params };
}

function walk(node: Node, segments: readonly string[], at: number, params: Record<string, string>): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? node : undefined;
  const decoded = decode(segment);
  if (decoded === undefined || decoded === '') return undefined;
  const literal = node.literal.get(decoded);
  const found = literal && walk(literal, segments, at + 1, params);
  if (found || !node.param) return found;
  const below = walk(node.param.node, segments, at + 1, params);
  if (below) params[node.param.name] = decoded;
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
