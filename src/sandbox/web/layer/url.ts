/** https://url.spec.whatwg.org/ : the host parses and sets components; parameter lists are implemented here. */
import { makeError } from './errors.ts';
import { expose, exposeMembers } from './expose.ts';
import { sync } from './ops.ts';
import {
  apply,
  arrayPush,
  charCodeAt,
  create,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
  setPrototypeOf,
  stringIndexOf,
  stringSlice,
  toWellFormed,
  uncurry,
} from './primordials.ts';
import { quickParts } from './quick-url.ts';

const replaceAll = uncurry(String.prototype.replaceAll) as unknown as (
  text: string,
  from: string,
  to: string,
) => string;
const sort = uncurry(Array.prototype.sort) as <T>(list: T[], compare: (a: T, b: T) => number) => T[];
const iterator: typeof Symbol.iterator = Symbol.iterator;
const iteratorPrototype = getPrototypeOf(getPrototypeOf([][iterator]()) as object);

const usv = (value: unknown): string => toWellFormed(`${value}`);

function need(count: number, wanted: number, what: string): void {
  if (count < wanted)
    throw new TypeError(`${what}: ${wanted} argument${wanted > 1 ? 's' : ''} required, ${count} given`);
}

/** Positions in `#parts`; the order of `native/url.ts`. */
const HREF = 0;
const ORIGIN = 1;
const PROTOCOL = 2;
const USERNAME = 3;
const PASSWORD = 4;
const HOST = 5;
const HOSTNAME = 6;
const PORT = 7;
const PATHNAME = 8;
const SEARCH = 9;
const HASH = 10;

function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const at = stringIndexOf(text, separator, from);
    if (at < 0) break;
    parts[parts.length] = stringSlice(text, from, at);
    from = at + 1;
  }
  parts[parts.length] = stringSlice(text, from);
  return parts;
}

/** With Node's error code, which libraries check. */
function invalidUrl(text: string): Error {
  const message = `Invalid URL: ${stringSlice(text, 0, 1_000)}`;
  return makeError({ name: 'TypeError', message, code: 'ERR_INVALID_URL' });
}

function parseUrl(url: string, base: string | undefined): string[] | undefined {
  const quick = base === undefined ? quickParts(url) : undefined;
  if (quick) return quick;
  const answer = base === undefined ? sync('url.parse', url) : sync('url.parse', url, base);
  return typeof answer === 'string' ? split(answer, '\n') : undefined;
}

/** Set for the next constructor call by our own code. */
let parsed: string[] | undefined;
let updateOwner: ((query: string) => void) | undefined;
/** Set in the classes' static blocks: access to each other's private members. */
let listOf: (params: URLSearchParams) => Pair[];
let refill: (params: URLSearchParams, query: string) => void;

type Pair = [string, string];

class URL {
  #parts: string[];
  #params: URLSearchParams | undefined;

  constructor(url: string, base: string | undefined = undefined) {
    if (parsed) {
      this.#parts = parsed;
      parsed = undefined;
      return;
    }
    need(arguments.length, 1, "Failed to construct 'URL'");
    const text = usv(url);
    const baseText = base === undefined ? undefined : usv(base);
    const parts = parseUrl(text, baseText);
    if (!parts) throw invalidUrl(text);
    this.#parts = parts;
  }

  static parse(url: string, base: string | undefined = undefined): URL | null {
    need(arguments.length, 1, "Failed to execute 'parse' on 'URL'");
    const text = usv(url);
    const parts = parseUrl(text, base === undefined ? undefined : usv(base));
    if (!parts) return null;
    parsed = parts;
    return new URL('');
  }

  static canParse(url: string, base: string | undefined = undefined): boolean {
    need(arguments.length, 1, "Failed to execute 'canParse' on 'URL'");
    const text = usv(url);
    return parseUrl(text, base === undefined ? undefined : usv(base)) !== undefined;
  }

  #set(property: string, value: unknown): void {
    this.#parts = split(sync('url.set', this.#parts[HREF], property, usv(value)) as string, '\n');
  }

  #get(index: number): string {
    return this.#parts[index] as string;
  }

  get href(): string {
    return this.#get(HREF);
  }

  set href(value: string) {
    this.#parts; // the brand comes before the conversion
    const text = usv(value);
    const parts = parseUrl(text, undefined);
    if (!parts) throw invalidUrl(text);
    this.#parts = parts;
    if (this.#params) refill(this.#params, this.#get(SEARCH));
  }

  get origin(): string {
    return this.#get(ORIGIN);
  }

  get protocol(): string {
    return this.#get(PROTOCOL);
  }

  set protocol(value: string) {
    this.#set('protocol', value);
  }

  get username(): string {
    return this.#get(USERNAME);
  }

  set username(value: string) {
    this.#set('username', value);
  }

  get password(): string {
    return this.#get(PASSWORD);
  }

  set password(value: string) {
    this.#set('password', value);
  }

  get host(): string {
    return this.#get(HOST);
  }

  set host(value: string) {
    this.#set('host', value);
  }

  get hostname(): string {
    return this.#get(HOSTNAME);
  }

  set hostname(value: string) {
    this.#set('hostname', value);
  }

  get port(): string {
    return this.#get(PORT);
  }

  set port(value: string) {
    this.#set('port', value);
  }

  get pathname(): string {
    return this.#get(PATHNAME);
  }

  set pathname(value: string) {
    this.#set('pathname', value);
  }

  get search(): string {
    return this.#get(SEARCH);
  }

  set search(value: string) {
    this.#set('search', value);
    if (this.#params) refill(this.#params, this.#get(SEARCH));
  }

  get searchParams(): URLSearchParams {
    this.#parts;
    if (!this.#params) {
      updateOwner = (query) => this.#set('search', query);
      this.#params = new URLSearchParams(this.#get(SEARCH));
    }
    return this.#params;
  }

  get hash(): string {
    return this.#get(HASH);
  }

  set hash(value: string) {
    this.#set('hash', value);
  }

  toString(): string {
    return this.#get(HREF);
  }

  toJSON(): string {
    return this.#get(HREF);
  }
}

class URLSearchParams {
  #list: Pair[] = [];
  #update: ((query: string) => void) | undefined;

  static {
    listOf = (params) => params.#list;
    refill = (params, query) => {
      params.#list = parseQuery(query);
    };
  }

  constructor(init: unknown = '') {
    if (updateOwner) {
      this.#update = updateOwner;
      updateOwner = undefined;
      this.#list = parseQuery(init as string);
    } else if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
      this.#list = pairsFrom(init);
    } else {
      this.#list = parseQuery(usv(init));
    }
  }

  #changed(): void {
    this.#update?.(serialize(this.#list));
  }

  get size(): number {
    return this.#list.length;
  }

  append(name: string, value: string): void {
    this.#list;
    need(arguments.length, 2, "Failed to execute 'append' on 'URLSearchParams'");
    const pair: Pair = [usv(name), usv(value)];
    arrayPush(this.#list, pair);
    this.#changed();
  }

  delete(name: string, value: string | undefined = undefined): void {
    this.#list;
    need(arguments.length, 1, "Failed to execute 'delete' on 'URLSearchParams'");
    const key = usv(name);
    const only = value === undefined ? undefined : usv(value);
    this.#keep((pair) => pair[0] !== key || (only !== undefined && pair[1] !== only));
    this.#changed();
  }

  get(name: string): string | null {
    this.#list;
    need(arguments.length, 1, "Failed to execute 'get' on 'URLSearchParams'");
    const key = usv(name);
    const list = this.#list;
    for (let i = 0; i < list.length; i++) if (list[i]?.[0] === key) return (list[i] as Pair)[1];
    return null;
  }

  getAll(name: string): string[] {
    this.#list;
    need(arguments.length, 1, "Failed to execute 'getAll' on 'URLSearchParams'");
    const key = usv(name);
    const found: string[] = [];
    const list = this.#list;
    for (let i = 0; i < list.length; i++) if (list[i]?.[0] === key) arrayPush(found, (list[i] as Pair)[1]);
    return found;
  }

  has(name: string, value: string | undefined = undefined): boolean {
    this.#list;
    need(arguments.length, 1, "Failed to execute 'has' on 'URLSearchParams'");
    const key = usv(name);
    const only = value === undefined ? undefined : usv(value);
    const list = this.#list;
    for (let i = 0; i < list.length; i++)
      if (list[i]?.[0] === key && (only === undefined || list[i]?.[1] === only)) return true;
    return false;
  }

  set(name: string, value: string): void {
    this.#list;
    need(arguments.length, 2, "Failed to execute 'set' on 'URLSearchParams'");
    const key = usv(name);
    const text = usv(value);
    let found = false;
    this.#keep((pair) => {
      if (pair[0] !== key) return true;
      if (found) return false;
      found = true;
      pair[1] = text;
      return true;
    });
    if (!found) arrayPush(this.#list, [key, text]);
    this.#changed();
  }

  sort(): void {
    sort(this.#list, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#changed();
  }

  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self: unknown = undefined): void {
    this.#list;
    need(arguments.length, 1, "Failed to execute 'forEach' on 'URLSearchParams'");
    if (typeof callback !== 'function') throw new TypeError('The callback must be a function');
    for (let i = 0; i < this.#list.length; i++) {
      const pair = this.#list[i] as Pair;
      apply(callback, self, [pair[1], pair[0], this]);
    }
  }

  entries(): PairIterator {
    this.#list;
    return new PairIterator(this, 'entries');
  }

  keys(): PairIterator {
    this.#list;
    return new PairIterator(this, 'keys');
  }

  values(): PairIterator {
    this.#list;
    return new PairIterator(this, 'values');
  }

  toString(): string {
    return serialize(this.#list);
  }

  /** Filters in place, because iterators use the same list. */
  #keep(wanted: (pair: Pair) => boolean): void {
    const list = this.#list;
    let to = 0;
    for (let i = 0; i < list.length; i++) {
      const pair = list[i] as Pair;
      if (wanted(pair)) list[to++] = pair;
    }
    list.length = to;
  }
}

class PairIterator {
  #params: URLSearchParams;
  #kind: 'entries' | 'keys' | 'values';
  #at = 0;

  constructor(params: URLSearchParams, kind: 'entries' | 'keys' | 'values') {
    this.#params = params;
    this.#kind = kind;
  }

  next(): { value: unknown; done: boolean } {
    const pair = listOf(this.#params)[this.#at];
    if (!pair) return { value: undefined, done: true };
    this.#at++;
    const value = this.#kind === 'keys' ? pair[0] : this.#kind === 'values' ? pair[1] : [pair[0], pair[1]];
    return { value, done: false };
  }
}

/** `init` of the constructor as a sequence of pairs or a record. */
function pairsFrom(init: object): Pair[] {
  const list: Pair[] = [];
  const method = (init as Record<symbol, unknown>)[iterator];
  if (method !== undefined && method !== null) {
    for (const item of iterable(init, method)) {
      const inner =
        (typeof item === 'object' && item !== null) || typeof item === 'function'
          ? (item as Record<symbol, unknown>)[iterator]
          : undefined;
      const pair: string[] = [];
      for (const part of iterable(item as object, inner)) pair[pair.length] = usv(part);
      if (pair.length !== 2) throw new TypeError('Each pair of a query must have a name and a value');
      list[list.length] = pair as Pair;
    }
    return list;
  }
  const places: Record<string, number> = create(null);
  const names = ownKeys(init);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (!getOwnPropertyDescriptor(init, name)?.enumerable) continue;
    const key = usv(name);
    const value = usv((init as Record<string, unknown>)[name]);
    const place = places[key];
    if (place === undefined) {
      places[key] = list.length;
      list[list.length] = [key, value];
    } else (list[place] as Pair)[1] = value;
  }
  return list;
}

function iterable(value: object, method: unknown): Iterable<unknown> {
  if (typeof method !== 'function') throw new TypeError('The value is not a sequence');
  return { [iterator]: () => apply(method as () => Iterator<unknown>, value, []) };
}

function parseQuery(query: string): Pair[] {
  const text = charCodeAt(query, 0) === 63 ? stringSlice(query, 1) : query;
  const list: Pair[] = [];
  if (text === '') return list;
  const parts = split(text, '&');
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (part === '') continue;
    const at = stringIndexOf(part, '=');
    list[list.length] =
      at < 0 ? [decode(part), ''] : [decode(stringSlice(part, 0, at)), decode(stringSlice(part, at + 1))];
  }
  return list;
}

function decode(text: string): string {
  const spaced = stringIndexOf(text, '+') < 0 ? text : replaceAll(text, '+', ' ');
  if (stringIndexOf(spaced, '%') < 0) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return sync('url.decode', spaced) as string;
  }
}

function serialize(list: readonly Pair[]): string {
  let text = '';
  for (let i = 0; i < list.length; i++) {
    const pair = list[i] as Pair;
    text += `${i > 0 ? '&' : ''}${encode(pair[0])}=${encode(pair[1])}`;
  }
  return text;
}

/** Characters that encodeURIComponent leaves but form encoding does not. */
const rest = ['!', '%21', "'", '%27', '(', '%28', ')', '%29', '~', '%7E', '%20', '+'];

function encode(text: string): string {
  let encoded = encodeURIComponent(text);
  for (let i = 0; i < rest.length; i += 2) {
    const from = rest[i] as string;
    if (stringIndexOf(encoded, from) >= 0) encoded = replaceAll(encoded, from, rest[i + 1] as string);
  }
  return encoded;
}

/** A descriptor without a prototype, since user code may have changed Object.prototype. */
function described(descriptor: PropertyDescriptor): PropertyDescriptor {
  return setPrototypeOf(descriptor, null) as PropertyDescriptor;
}

expose(URL, 'URL');
expose(URLSearchParams, 'URLSearchParams');
defineProperty(
  URLSearchParams.prototype,
  iterator,
  described({ value: URLSearchParams.prototype.entries, configurable: true, writable: true }),
);
defineProperty(URL, 'parse', described({ enumerable: true }));
defineProperty(URL, 'canParse', described({ enumerable: true }));
exposeMembers(PairIterator.prototype, 'URLSearchParams Iterator');
setPrototypeOf(PairIterator.prototype, iteratorPrototype);
Reflect.deleteProperty(PairIterator.prototype, 'constructor');

export { URL, URLSearchParams };
