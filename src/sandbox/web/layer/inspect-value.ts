/** Formats values as readable text, like Node's util.inspect. Never throws because of the value; getters are not run. */
import { className, functionLabel, ownFramesOut, tagOf, withClass } from './class-names.ts';
import { inColumns } from './columns.ts';
import { quote, symbolText } from './literals.ts';
import { errorToString, isArray, isView, typedArrayName } from './primordials.ts';

export interface InspectOptions {
  /** Levels of nesting shown; null or Infinity for all. */
  depth?: number | null | undefined;
  /** Show what is not enumerable as well. */
  showHidden?: boolean | undefined;
  maxArrayLength?: number | undefined;
  maxStringLength?: number | undefined;
  breakLength?: number | undefined;
  /** How many inner levels may share a line. */
  compact?: number | boolean | undefined;
  /** Whether objects may format themselves. */
  customInspect?: boolean | undefined;
}

interface State {
  depth: number;
  hidden: boolean;
  maxItems: number;
  maxText: number;
  width: number;
  compact: number;
  custom: boolean;
  /** The original options, which are passed to objects with their own formatting. */
  asked: InspectOptions;
  /** Level of the object whose members were shown last. */
  level: number;
  /** Objects on the path from the root. */
  path: object[];
  circular: Map<object, number>;
  /** Remaining characters; keeps a huge graph from being walked completely. */
  left: number;
}

const customKey = Symbol.for('nodejs.util.inspect.custom');
const identifier = /^[A-Za-z_$][\w$]*$/;
const maxTotal = 256 * 1024;

/** @returns at most some 256 K characters */
export function inspect(value: unknown, options: InspectOptions = {}): string {
  return show(value, stateOf(options, maxTotal), 0, false);
}

/** The given fields of an object, briefly: `code: 'no_price'`. */
export function inspectFields(value: object, keys: PropertyKey[]): string {
  const state = stateOf({ depth: 3, maxArrayLength: 20, maxStringLength: 500 }, 4_096);
  state.path.push(value);
  return members(value, keys, state, 2).join(',\n  ');
}

function stateOf(options: InspectOptions, left: number): State {
  const depth = options.depth === null ? Number.POSITIVE_INFINITY : (options.depth ?? 2);
  return {
    depth: Math.min(depth, 100),
    hidden: options.showHidden === true,
    maxItems: options.maxArrayLength ?? 100,
    maxText: options.maxStringLength ?? 10_000,
    width: options.breakLength ?? 80,
    compact: typeof options.compact === 'number' ? options.compact : options.compact === false ? 0 : 3,
    custom: options.customInspect !== false,
    asked: options,
    level: 0,
    path: [],
    circular: new Map(),
    left,
  };
}

function show(value: unknown, state: State, indent: number, nested = true): string {
  const text = showAny(value, state, indent, nested);
  state.left -= text.length;
  return text;
}

function showAny(value: unknown, state: State, indent: number, nested: boolean): string {
  switch (typeof value) {
    case 'string':
      return showText(value, state, indent);
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`;
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return symbolText(value);
    case 'boolean':
      return `${value}`;
  }
  if (value === null || value === undefined) return `${value}`;
  return showReference(value as object, state, indent, nested);
}

/** Text of several lines that needs more than one is shown as a sum of its lines. */
function showText(text: string, state: State, indent: number): string {
  const isShort = text.length <= 16 || text.length <= state.width - indent - 4;
  if (isShort || state.compact === 0 || text.length > state.maxText || !text.includes('\n'))
    return quote(text, state.maxText);
  const lines = text.split(/(?<=\n)/).map((line) => quote(line, state.maxText));
  return lines.join(` +\n${' '.repeat(indent + 2)}`);
}

function showReference(value: object, state: State, indent: number, nested: boolean): string {
  if (state.path.includes(value)) {
    let index = state.circular.get(value);
    if (index === undefined) {
      index = state.circular.size + 1;
      state.circular.set(value, index);
    }
    return `[Circular *${index}]`;
  }
  let text: string;
  state.path.push(value);
  try {
    text = showObject(value, state, indent, nested);
  } catch {
    text = '[object that cannot be inspected]';
  }
  state.path.pop();
  const index = state.circular.get(value);
  return index === undefined ? text : `<ref *${index}> ${text}`;
}

const call = <T>(method: unknown, self: unknown): { value: T } | undefined => {
  try {
    return { value: Reflect.apply(method as () => T, self, []) };
  } catch {
    return undefined;
  }
};

const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get;
const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size')?.get;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const dateToISO = Date.prototype.toISOString;
const dateGetTime = Date.prototype.getTime;
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;
const regexpToString = RegExp.prototype.toString;
const regexpExec = Object.getOwnPropertyDescriptor(RegExp.prototype, 'source')?.get;
const toStringTag = Object.prototype.toString;

function showObject(value: object, state: State, indent: number, nested: boolean): string {
  const custom = state.custom ? (value as { [customKey]?: unknown })[customKey] : undefined;
  if (typeof custom === 'function') {
    const left = state.depth - (state.path.length - 1);
    const answer = Reflect.apply(custom, value, [left, optionsOf(state, left), inspect]);
    if (answer !== value)
      return typeof answer === 'object' && answer !== null
        ? show(answer, state, indent, nested)
        : `${answer}`.replaceAll('\n', `\n${' '.repeat(indent)}`);
  }
  const name = className(value);
  const tag = tagOf(value, name);
  const keys = ownKeys(value, state);
  const label = `${name ?? '[Object: null prototype]'}${tag} `;
  const deep = state.path.length - 1 > state.depth || state.left <= 0;

  if (isArray(value)) {
    const prefix = name === 'Array' && tag === '' ? '' : `${name ?? '[Array: null prototype]'}(${value.length})${tag} `;
    if (deep && (value.length > 0 || keys.length > 0)) return `[${name ?? 'Array'}]`;
    return wrap(prefix, '[', ']', arrayItems(value, keys, state, indent), state, indent, value);
  }
  if (isView(value)) {
    const kind = typedArrayName(value);
    if (kind !== undefined) {
      const list = value as Uint8Array;
      if (deep) return `[${name ?? kind}]`;
      return wrap(`${name ?? kind}(${list.length})${tag} `, '[', ']', typedItems(list, state), state, indent, list);
    }
  }
  if (typeof value === 'function') return withMembers(functionLabel(value, name), value, keys, state, indent, deep);
  const size = call<number>(mapSize, value);
  if (size) {
    if (size.value > 0 || keys.length > 0) {
      if (deep) return `[${name ?? 'Map'}]`;
      enter(state);
    }
    return wrap(
      `${name ?? 'Map'}(${size.value})${tag} `,
      '{',
      '}',
      [...mapItems(value, state, indent), ...members(value, keys, state, indent)],
      state,
      indent,
    );
  }
  const count = call<number>(setSize, value);
  if (count) {
    if (count.value > 0 || keys.length > 0) {
      if (deep) return `[${name ?? 'Set'}]`;
      enter(state);
    }
    return wrap(
      `${name ?? 'Set'}(${count.value})${tag} `,
      '{',
      '}',
      [...setItems(value, state, indent), ...members(value, keys, state, indent)],
      state,
      indent,
    );
  }
  const builtin = toStringTag.call(value);
  if (builtin === '[object Error]' || value instanceof Error) return errorText(value, name, keys, state, indent, deep);
  if (value !== RegExp.prototype && call(regexpExec, value))
    return withMembers(
      `${name === 'RegExp' ? '' : label}${call<string>(regexpToString, value)?.value ?? '/(?:)/'}`,
      value,
      keys,
      state,
      indent,
      deep,
    );
  const time = call<number>(dateGetTime, value);
  if (time) {
    const text = Number.isNaN(time.value) ? 'Invalid Date' : (call<string>(dateToISO, value)?.value ?? '');
    return withMembers(`${name === 'Date' ? '' : label}${text}`, value, keys, state, indent, deep);
  }
  const boxed = boxedText(value, state);
  if (boxed !== undefined)
    return withMembers(
      boxed,
      value,
      keys.filter((key) => !(typeof key === 'string' && /^\d+$/.test(key))),
      state,
      indent,
      deep,
    );
  if (builtin === '[object Promise]')
    return wrap(`${label}`, '{', '}', deep ? [] : members(value, keys, state, indent), state, indent);
  if (builtin === '[object WeakMap]' || builtin === '[object WeakSet]')
    return `${name ?? 'WeakMap'} { <items unknown> }`;
  const bytes = call<number>(bufferLength, value) ? bufferItems(value as ArrayBuffer, state) : undefined;
  const inside = bytes ?? (isView(value) ? viewItems(value as DataView, state, indent) : undefined);
  if (inside) {
    if (deep) return `[${name ?? 'ArrayBuffer'}]`;
    return wrap(label, '{', '}', [...inside, ...members(value, keys, state, indent)], state, indent);
  }
  if (deep && (keys.length > 0 || name !== 'Object')) return `[${name ?? 'Object: null prototype'}${tag}]`;
  const web = webObjectText(value, name, state, indent);
  if (web !== undefined) return web;
  const items = members(value, keys, state, indent);
  const prefix = name === 'Object' && tag === '' ? '' : label;
  if (items.length === 0) return `${prefix}{}`;
  return wrap(prefix, '{', '}', items, state, indent);
}

/** Options for an object with its own formatting, as in Node, without colours. */
function optionsOf(state: State, depth: number): object {
  return {
    stylize: (text: unknown) => `${text}`,
    showHidden: state.hidden,
    colors: false,
    customInspect: true,
    showProxy: false,
    maxArrayLength: state.maxItems,
    maxStringLength: state.maxText,
    breakLength: state.width,
    compact: state.compact === 0 ? false : state.compact,
    sorted: false,
    getters: false,
    numericSeparator: false,
    ...state.asked,
    depth,
  };
}

/** Accessors that show the state of web objects, which they have on their prototypes. */
const shownAccessors: Record<string, string[]> = {
  URL: [
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'searchParams',
    'hash',
  ],
  Blob: ['size', 'type'],
  File: ['size', 'type', 'name', 'lastModified'],
  AbortSignal: ['aborted'],
  AbortController: ['signal'],
  Event: ['type', 'defaultPrevented', 'cancelable', 'timeStamp'],
  CryptoKey: ['type', 'extractable', 'algorithm', 'usages'],
  ReadableStream: ['locked'],
  WritableStream: ['locked'],
  TransformStream: ['readable', 'writable'],
};

/** Formats an object of the layer's own classes; undefined for any other. Own properties belong to the polyfills and are not shown. */
function webObjectText(value: object, name: string | null, state: State, indent: number): string | undefined {
  const Class = name === null ? undefined : __web[name];
  if (name === null || typeof Class !== 'function' || !(value instanceof Class)) return undefined;
  const items: string[] = [];
  if (name === 'URLSearchParams') {
    for (const [key, item] of value as URLSearchParams)
      items.push(`${quote(key, state.maxText)} => ${quote(item, state.maxText)}`);
    return wrap('URLSearchParams ', '{', '}', items, state, indent);
  }
  const list = shownAccessors[name];
  if (!list) return undefined;
  for (const key of list) items.push(`${key}: ${show((value as Record<string, unknown>)[key], state, indent + 2)}`);
  return wrap(`${name} `, '{', '}', items, state, indent);
}

function ownKeys(value: object, state: State): PropertyKey[] {
  return Reflect.ownKeys(value).filter(
    (key) => state.hidden || Object.getOwnPropertyDescriptor(value, key)?.enumerable === true,
  );
}

function keyText(key: PropertyKey, enumerable: boolean, state: State): string {
  const text =
    typeof key === 'symbol'
      ? symbolText(key)
      : identifier.test(`${String(key)}`)
        ? String(key)
        : quote(String(key), state.maxText);
  return enumerable ? text : `[${text}]`;
}

function enter(state: State): void {
  state.level = state.path.length - 1;
}

function members(value: object, keys: PropertyKey[], state: State, indent: number): string[] {
  const items: string[] = [];
  if (keys.length > 0) enter(state);
  for (const key of keys) {
    if (items.length >= 1000 || state.left <= 0) {
      items.push(`... ${keys.length - items.length} more`);
      break;
    }
    items.push(member(value, key, state, indent));
  }
  return items;
}

function member(value: object, key: PropertyKey, state: State, indent: number): string {
  const descriptor = Object.getOwnPropertyDescriptor(value, key);
  let text: string;
  if (!descriptor) text = 'undefined';
  else if (descriptor.get) text = descriptor.set ? '[Getter/Setter]' : '[Getter]';
  else if (descriptor.set) text = '[Setter]';
  else text = show(descriptor.value, state, indent + 2);
  return `${keyText(key, descriptor?.enumerable ?? true, state)}: ${text}`;
}

function arrayItems(list: unknown[], keys: PropertyKey[], state: State, indent: number): string[] {
  const items: string[] = [];
  const length = list.length;
  if (length > 0) enter(state);
  let holes = 0;
  let shown = 0;
  let i = 0;
  const flush = () => {
    if (holes > 0) items.push(`<${holes} empty item${holes > 1 ? 's' : ''}>`);
    holes = 0;
  };
  for (; i < length && shown < state.maxItems && state.left > 0; i++) {
    const descriptor = Object.getOwnPropertyDescriptor(list, i);
    if (!descriptor) {
      holes++;
      // A sparse array of 2^32 holes is not walked.
      if (holes > 10_000) {
        holes += length - i - 1;
        i = length;
        break;
      }
      continue;
    }
    flush();
    shown++;
    items.push(descriptor.get ? '[Getter]' : show(descriptor.value, state, indent + 2));
  }
  flush();
  if (i < length) items.push(`... ${length - i} more item${length - i > 1 ? 's' : ''}`);
  const named = keys.filter((key) => typeof key === 'symbol' || !/^\d+$/.test(String(key)));
  items.push(...members(list, named, state, indent));
  return items;
}

function typedItems(list: Uint8Array, state: State): string[] {
  const items: string[] = [];
  const length = list.length;
  if (length > 0) enter(state);
  for (let i = 0; i < length && i < state.maxItems; i++) {
    const item: unknown = list[i];
    items.push(typeof item === 'bigint' ? `${item}n` : Object.is(item, -0) ? '-0' : `${item}`);
  }
  if (length > state.maxItems)
    items.push(`... ${length - state.maxItems} more item${length - state.maxItems > 1 ? 's' : ''}`);
  return items;
}

function bufferItems(buffer: ArrayBuffer, state: State): string[] {
  const { byteLength } = buffer;
  const bytes = buffer.detached ? [] : new Uint8Array(buffer, 0, Math.min(byteLength, state.maxItems));
  const shown = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const more = byteLength - bytes.length;
  const rest = more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : '';
  return [`[Uint8Contents]: <${shown}${rest}>`, `[byteLength]: ${byteLength}`];
}

function viewItems(view: DataView, state: State, indent: number): string[] {
  enter(state);
  return [
    `[byteLength]: ${view.byteLength}`,
    `[byteOffset]: ${view.byteOffset}`,
    `[buffer]: ${show(view.buffer, state, indent + 2)}`,
  ];
}

function mapItems(map: object, state: State, indent: number): string[] {
  const items: string[] = [];
  let total = 0;
  Reflect.apply(mapForEach, map, [
    (value: unknown, key: unknown) => {
      total++;
      if (items.length < state.maxItems && state.left > 0)
        items.push(`${show(key, state, indent + 2)} => ${show(value, state, indent + 2)}`);
    },
  ]);
  if (total > items.length) items.push(`... ${total - items.length} more items`);
  return items;
}

function setItems(set: object, state: State, indent: number): string[] {
  const items: string[] = [];
  let total = 0;
  Reflect.apply(setForEach, set, [
    (value: unknown) => {
      total++;
      if (items.length < state.maxItems && state.left > 0) items.push(show(value, state, indent + 2));
    },
  ]);
  if (total > items.length) items.push(`... ${total - items.length} more items`);
  return items;
}

function errorText(
  value: object,
  name: string | null,
  keys: PropertyKey[],
  state: State,
  indent: number,
  deep: boolean,
): string {
  const stack = ownFramesOut(readData(value, 'stack'));
  let text =
    typeof stack === 'string' && stack !== ''
      ? stack
      : `[${call<string>(() => errorToString(value), value)?.value ?? name ?? 'Error'}]`;
  if (typeof stack === 'string') text = withClass(text, name, readData(value, 'name'));
  // As in Node, without frames it could be taken for text.
  if (stack !== '' && typeof stack === 'string' && !stack.includes('\n    at ')) text = `[${text}]`;
  if (indent > 0) text = text.replaceAll('\n', `\n${' '.repeat(indent)}`);
  // Skips what the stack already says, such as a name set in the constructor.
  const told = (key: PropertyKey) => {
    if (key !== 'name' && key !== 'message' && key !== 'stack') return false;
    const own = readData(value, key);
    return typeof own !== 'string' || typeof stack !== 'string' || stack.includes(own) || text.includes(own);
  };
  const shown = keys.filter((key) => !told(key));
  const items = deep ? [] : members(value, shown, state, indent);
  const cause = Object.getOwnPropertyDescriptor(value, 'cause');
  if (cause && !cause.enumerable && 'value' in cause && !deep)
    items.push(`[cause]: ${show(cause.value, state, indent + 2)}`);
  const errors = Object.getOwnPropertyDescriptor(value, 'errors');
  if (errors && !errors.enumerable && isArray(errors.value) && !deep)
    items.push(`[errors]: ${show(errors.value, state, indent + 2)}`);
  if (items.length === 0) return text;
  const pad = ' '.repeat(indent + 2);
  return `${text} {\n${pad}${items.join(`,\n${pad}`)}\n${' '.repeat(indent)}}`;
}

/** A data property, own or inherited; V8's own `stack` accessor counts as one. */
function readData(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

const boxes: [string, unknown][] = [
  ['Number', Number.prototype.valueOf],
  ['String', String.prototype.valueOf],
  ['Boolean', Boolean.prototype.valueOf],
  ['BigInt', BigInt.prototype.valueOf],
  ['Symbol', Symbol.prototype.valueOf],
];

function boxedText(value: object, state: State): string | undefined {
  for (const [kind, method] of boxes) {
    const primitive = call<unknown>(method, value);
    if (primitive) return `[${kind}: ${showAny(primitive.value, state, 0, true)}]`;
  }
  return undefined;
}

function withMembers(
  base: string,
  value: object,
  keys: PropertyKey[],
  state: State,
  indent: number,
  deep: boolean,
): string {
  return keys.length === 0 || deep
    ? base
    : wrap(`${base} `, '{', '}', members(value, keys, state, indent), state, indent);
}

/** @param list the list of these items, if they may be arranged in columns */
function wrap(
  prefix: string,
  open: string,
  close: string,
  items: string[],
  state: State,
  indent: number,
  list?: ArrayLike<unknown>,
): string {
  if (items.length === 0) return `${prefix}${open}${close}`;
  const lines = list && state.compact > 0 && items.length > 6 ? inColumns(items, list, { ...state, indent }) : items;
  const grouped = lines.length < items.length;
  if (!grouped && state.level - (state.path.length - 1) < state.compact) {
    let length = prefix.length + open.length + items.length * 2 + indent + 10;
    for (const item of items) length += item.length;
    if (length <= state.width && !prefix.includes('\n') && items.every((item) => !item.includes('\n')))
      return `${prefix}${open} ${items.join(', ')} ${close}`;
  }
  const pad = ' '.repeat(indent + 2);
  return `${prefix}${open}\n${pad}${lines.join(`,\n${pad}`)}\n${' '.repeat(indent)}${close}`;
}
