import type { FlowContext, FlowState, Json } from './types.ts';

/** `steps.stock.output.items[0].name` → its parts; undefined if it is no path. */
export function parsePath(path: string): string[] | undefined {
  const parts: string[] = [];
  const part = /([^.[\]\s{}]+)|\[(\d+)\]/y;
  for (let at = 0; at < path.length; ) {
    if (path[at] === '.' && at > 0) at++;
    else if (at > 0 && path[at] !== '[') return undefined;
    part.lastIndex = at;
    const match = part.exec(path);
    if (!match) return undefined;
    parts.push(match[1] ?? match[2] ?? '');
    at = part.lastIndex;
  }
  return parts.length === 0 ? undefined : parts;
}

/** What a path stands for; undefined if there is nothing. */
export function valueAt(path: string, state: FlowState, context: FlowContext): Json | undefined {
  const parts = parsePath(path);
  if (parts === undefined) return undefined;
  const [root = '', ...rest] = parts;
  if (root === 'steps') {
    const [node = '', kind, ...inner] = rest;
    if (kind !== 'output' || !Object.hasOwn(state.outputs, node)) return undefined;
    return within(state.outputs[node], inner);
  }
  return within(rootValue(root, state, context), rest);
}

function rootValue(root: string, state: FlowState, context: FlowContext): Json | undefined {
  if (root === 'message') return state.message as Json;
  if (root === 'variables') return state.variables as Json;
  return Object.hasOwn(context, root) ? (context[root as keyof FlowContext] as Json) : undefined;
}

function within(value: Json | undefined, parts: readonly string[]): Json | undefined {
  let at = value;
  for (const part of parts) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as { [key: string]: Json })[part];
  }
  return at;
}
