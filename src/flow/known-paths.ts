import { entities, type Flow } from '../contract/shapes/index.ts';
import { isRecord, nearest } from '../std/index.ts';
import { triggerOf } from './exits.ts';
import { reachableFrom, type Ways } from './graph.ts';
import { parsePath } from './paths.ts';

/** What may stand below a name: nothing, anything, or these. */
type Below = 'nothing' | 'anything' | { readonly [name: string]: Below };

const now: Below = { date: 'nothing', weekday: 'nothing', hour: 'nothing' };
const roots = ['message', 'conversation', 'customer', 'workspace', 'input', 'steps', 'variables', 'vars', 'now'];

/** Knows which paths can stand for something at a node. */
export class KnownPaths {
  readonly #flow: Flow;
  readonly #before: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(flow: Flow, ways: Ways) {
    this.#flow = flow;
    const after = new Map([...ways.keys()].map((name) => [name, reachableFrom(ways, name)]));
    this.#before = new Map(
      [...ways.keys()].map((name) => [
        name,
        new Set([...after].filter(([, reached]) => reached.has(name)).map(([earlier]) => earlier)),
      ]),
    );
  }

  /** @returns why a path never stands for anything at a node, with the one that was probably meant; undefined if it may */
  findProblem(path: string, node: string): string | undefined {
    const parts = parsePath(path);
    if (parts === undefined) return `names "${path}", which is no path such as message.text`;
    const [root = '', ...rest] = parts;
    if (!roots.includes(root)) return `names ${path}, which cannot exist${meant(root, roots, '', rest)}`;
    const known = root === 'steps' ? this.#steps(rest, node) : this.#root(root, node);
    if (typeof known === 'string' && known !== 'nothing' && known !== 'anything') return `names ${path}, ${known}`;
    return findUnknown(known as Below, root, rest, path);
  }

  #root(root: string, node: string): Below | string {
    const { name, node: trigger } = triggerOf(this.#flow);
    switch (root) {
      case 'message': {
        const startsWithOne = trigger.on === 'message.received' || trigger.on === 'template.replied';
        const waitedFor = [...(this.#before.get(node) ?? [])].some((earlier) => {
          const known = this.#flow.nodes[earlier];
          return known?.type === 'wait' && known.for === 'message.received';
        });
        // Those who start it by hand or by code may name a message's conversation, but no message.
        if (!startsWithOne && !waitedFor) return `but no message has come: the flow starts on ${trigger.on}`;
        return belowShape(entities.Message);
      }
      case 'conversation':
      case 'customer':
        if (trigger.on === 'schedule') return 'but a flow that starts on a schedule has no conversation';
        if (root === 'customer') return belowShape(entities.Customer);
        return { ...(belowShape(entities.Conversation) as object), channel: 'nothing' };
      case 'workspace':
        return { slug: 'nothing', name: 'nothing' };
      case 'input':
        if (trigger.on === 'schedule') return { scheduledAt: 'nothing' };
        if (trigger.on !== 'manual' && trigger.on !== 'code')
          return `but only a flow that starts on manual or code has an input (${name} starts on ${trigger.on})`;
        return belowSchema(trigger.input);
      case 'now':
        return now;
      default:
        return 'anything';
    }
  }

  #steps([step, kind, ..._]: readonly string[], node: string): Below | string {
    const names = Object.keys(this.#flow.nodes);
    if (step === undefined || kind !== 'output') return 'but what a step has answered is steps.NODE.output';
    const known = Object.hasOwn(this.#flow.nodes, step) ? this.#flow.nodes[step] : undefined;
    if (known === undefined) return `which cannot exist: there is no node ${step}${suggestion(nearest(step, names))}`;
    if (!this.#before.get(node)?.has(step)) return `but no way leads from ${step} to ${node}`;
    const failed = 'onError' in known && known.onError !== undefined;
    if (known.type === 'ai' && !failed)
      return { [step]: { output: known.output ? belowSchema(known.output) : { text: 'nothing' } } };
    const hasOutput = known.type === 'custom-flow-node' || known.type === 'ai-agent' || failed;
    return hasOutput ? { [step]: { output: 'anything' } } : `but ${step} (${known.type}) answers nothing`;
  }
}

function findUnknown(below: Below, at: string, parts: readonly string[], path: string): string | undefined {
  const [part, ...rest] = parts;
  if (part === undefined || below === 'anything') return undefined;
  if (below === 'nothing') return `names ${path}, which cannot exist: nothing is below ${at}`;
  const inner = Object.hasOwn(below, part) ? below[part] : undefined;
  if (inner !== undefined) return findUnknown(inner, `${at}.${part}`, rest, path);
  return `names ${path}, which cannot exist${meant(part, Object.keys(below), `${at}.`, rest)}`;
}

function meant(typed: string, names: readonly string[], before: string, after: readonly string[]): string {
  const found = nearest(typed, names);
  if (found !== undefined) return suggestion([before + found, ...after].join('.'));
  return names.length === 0
    ? ''
    : `: ${before === '' ? 'a path begins with' : `below ${before.slice(0, -1)} there is`} ${names.join(', ')}`;
}

const suggestion = (name: string | undefined) => (name === undefined ? '' : `; did you mean ${name}?`);

/** What a shape of the contract holds. */
function belowShape(shape: unknown): Below {
  const inner = unwrapped(shape);
  if (!isRecord(inner) || !isRecord(inner['shape'])) return isScalar(inner) ? 'nothing' : 'anything';
  return Object.fromEntries(Object.entries(inner['shape']).map(([name, below]) => [name, belowShape(below)]));
}

interface Shape {
  readonly type?: string;
  readonly unwrap?: () => unknown;
}

function unwrapped(shape: unknown): Shape {
  let at = shape as Shape;
  while ((at.type === 'nullable' || at.type === 'optional') && at.unwrap) at = at.unwrap() as Shape;
  return at;
}

const isScalar = ({ type }: Shape) => type === 'string' || type === 'number' || type === 'boolean' || type === 'enum';

/** What an author's JSON Schema says of an object, if it lists its properties. */
function belowSchema(schema: unknown): Below {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return 'anything';
  if (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false) return 'anything';
  return Object.fromEntries(Object.entries(schema['properties']).map(([name, inner]) => [name, belowSchema(inner)]));
}
