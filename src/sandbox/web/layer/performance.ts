/** https://w3c.github.io/hr-time/ and https://w3c.github.io/user-timing/ over the host's monotonic clock. */
import { monotonicMs, originMs } from './clock.ts';
import { structuredClone } from './clone.ts';
import { makeError } from './errors.ts';
import { EventTarget } from './events.ts';
import { expose } from './expose.ts';

const making = Symbol('making');
const timeOrigin = originMs;
const now = monotonicMs;
/** How many entries are kept; the oldest are dropped, so that a long loop of marks does not fill the memory. */
const maxEntries = 10_000;

interface EntryData {
  name: string;
  entryType: string;
  startTime: number;
  duration: number;
  detail: unknown;
}

const data = new WeakMap<object, EntryData>();

function dataOf(entry: unknown): EntryData {
  const value = data.get(entry as object);
  if (!value) throw new TypeError('Illegal invocation');
  return value;
}

export class PerformanceEntry {
  constructor(token?: unknown, value?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
    data.set(this, value as EntryData);
  }
  get name(): string {
    return dataOf(this).name;
  }
  get entryType(): string {
    return dataOf(this).entryType;
  }
  get startTime(): number {
    return dataOf(this).startTime;
  }
  get duration(): number {
    return dataOf(this).duration;
  }
  toJSON(): object {
    const { detail, duration, entryType, name, startTime } = dataOf(this);
    const plain = { name, entryType, startTime, duration };
    return this instanceof PerformanceMark || this instanceof PerformanceMeasure ? { ...plain, detail } : plain;
  }
}

export class PerformanceMark extends PerformanceEntry {
  constructor(name: unknown, options: unknown = undefined) {
    if (arguments.length === 0) throw new TypeError("Failed to construct 'PerformanceMark': 1 argument required");
    const text = `${name}`;
    if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
      throw new TypeError("Failed to construct 'PerformanceMark': the options are not an object");
    }
    const { detail, startTime } = (options ?? {}) as { detail?: unknown; startTime?: unknown };
    const start = startTime === undefined ? now() : timestamp(startTime);
    if (start < 0) throw new TypeError(`'${text}' cannot have a negative start time`);
    const copy = detail === undefined || detail === null ? null : structuredClone(detail);
    super(making, { name: text, entryType: 'mark', startTime: start, duration: 0, detail: copy });
  }
  get detail(): unknown {
    return dataOf(this).detail;
  }
}

export class PerformanceMeasure extends PerformanceEntry {
  get detail(): unknown {
    return dataOf(this).detail;
  }
}

function timestamp(value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError('The timestamp is not a finite number');
  return number;
}

let entries: PerformanceEntry[] = [];
const observers = new Set<PerformanceObserver>();

function add(entry: PerformanceEntry): void {
  entries.push(entry);
  if (entries.length > maxEntries) entries.shift();
  for (const observer of observers) enqueueEntry(observer, entry);
}

function markTime(value: unknown): number {
  if (typeof value === 'number') {
    if (value < 0) throw new TypeError('A timestamp cannot be negative');
    return timestamp(value);
  }
  const name = `${value}`;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = dataOf(entries[i]);
    if (entry.entryType === 'mark' && entry.name === name) return entry.startTime;
  }
  throw makeError({ name: 'SyntaxError', message: `The mark '${name}' does not exist` });
}

const optionNames = ['start', 'end', 'duration', 'detail'];

function sorted(list: PerformanceEntry[]): PerformanceEntry[] {
  return list.sort((a, b) => dataOf(a).startTime - dataOf(b).startTime);
}

export class Performance extends EventTarget {
  constructor(token?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
    super();
  }

  now(): number {
    if (this !== performance) throw new TypeError('Illegal invocation');
    return now();
  }

  get timeOrigin(): number {
    if (this !== performance) throw new TypeError('Illegal invocation');
    return timeOrigin;
  }

  mark(name: unknown, options: unknown = undefined): PerformanceMark {
    if (arguments.length === 0) throw new TypeError("Failed to execute 'mark' on 'Performance': 1 argument required");
    const mark = new PerformanceMark(name, options);
    add(mark);
    return mark;
  }

  measure(name: unknown, startOrOptions: unknown = undefined, endMark: unknown = undefined): PerformanceMeasure {
    if (arguments.length === 0)
      throw new TypeError("Failed to execute 'measure' on 'Performance': 1 argument required");
    const text = `${name}`;
    const options =
      startOrOptions !== null && typeof startOrOptions === 'object'
        ? (startOrOptions as Record<string, unknown>)
        : undefined;
    let start: number | undefined;
    let end: number | undefined;
    let detail: unknown = null;
    if (options && optionNames.some((key) => options[key] !== undefined)) {
      if (endMark !== undefined) throw new TypeError('Options and an end mark cannot both be given');
      if (options['start'] === undefined && options['end'] === undefined)
        throw new TypeError('start or end must be given');
      if (options['start'] !== undefined && options['end'] !== undefined && options['duration'] !== undefined) {
        throw new TypeError('start, end and duration cannot all be given');
      }
      const duration = options['duration'] === undefined ? undefined : timestamp(options['duration']);
      if (options['end'] !== undefined) end = markTime(options['end']);
      else if (options['start'] !== undefined && duration !== undefined) end = markTime(options['start']) + duration;
      if (options['start'] !== undefined) start = markTime(options['start']);
      else if (duration !== undefined && end !== undefined) start = end - duration;
      if (options['detail'] !== undefined && options['detail'] !== null) detail = structuredClone(options['detail']);
    } else {
      if (endMark !== undefined) end = markTime(endMark);
      if (startOrOptions !== undefined && !options && startOrOptions !== null) start = markTime(startOrOptions);
    }
    start ??= 0;
    end ??= now();
    const measure = new PerformanceMeasure(making, {
      name: text,
      entryType: 'measure',
      startTime: start,
      duration: end - start,
      detail,
    });
    add(measure);
    return measure;
  }

  clearMarks(name: unknown = undefined): void {
    clear('mark', name);
  }

  clearMeasures(name: unknown = undefined): void {
    clear('measure', name);
  }

  clearResourceTimings(): void {}

  getEntries(): PerformanceEntry[] {
    return sorted(entries.slice());
  }

  getEntriesByType(type: unknown): PerformanceEntry[] {
    if (arguments.length === 0)
      throw new TypeError("Failed to execute 'getEntriesByType' on 'Performance': 1 argument required");
    const kind = `${type}`;
    return sorted(entries.filter((entry) => dataOf(entry).entryType === kind));
  }

  getEntriesByName(name: unknown, type: unknown = undefined): PerformanceEntry[] {
    if (arguments.length === 0)
      throw new TypeError("Failed to execute 'getEntriesByName' on 'Performance': 1 argument required");
    const text = `${name}`;
    const kind = type === undefined ? undefined : `${type}`;
    return sorted(
      entries.filter((e) => dataOf(e).name === text && (kind === undefined || dataOf(e).entryType === kind)),
    );
  }

  toJSON(): object {
    return { timeOrigin };
  }
}

function clear(type: string, name: unknown): void {
  const text = name === undefined ? undefined : `${name}`;
  entries = entries.filter((entry) => {
    const value = dataOf(entry);
    return value.entryType !== type || (text !== undefined && value.name !== text);
  });
}

interface ObserverState {
  callback: (list: PerformanceObserverEntryList, observer: PerformanceObserver) => unknown;
  types: string[];
  queue: PerformanceEntry[];
  scheduled: boolean;
}

const observerStates = new WeakMap<object, ObserverState>();

function enqueueEntry(observer: PerformanceObserver, entry: PerformanceEntry): void {
  const state = observerStates.get(observer);
  if (!state?.types.includes(dataOf(entry).entryType)) return;
  state.queue.push(entry);
  if (state.scheduled) return;
  state.scheduled = true;
  (__web['setTimeout'] as (task: () => void, ms: number) => void)(() => {
    state.scheduled = false;
    const list = state.queue;
    state.queue = [];
    if (list.length > 0) state.callback.call(observer, new PerformanceObserverEntryList(making, list), observer);
  }, 0);
}

const lists = new WeakMap<object, PerformanceEntry[]>();

export class PerformanceObserverEntryList {
  constructor(token?: unknown, list?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
    lists.set(this, sorted(list as PerformanceEntry[]));
  }
  getEntries(): PerformanceEntry[] {
    return (lists.get(this) ?? []).slice();
  }
  getEntriesByType(type: unknown): PerformanceEntry[] {
    return this.getEntries().filter((entry) => entry.entryType === `${type}`);
  }
  getEntriesByName(name: unknown, type: unknown = undefined): PerformanceEntry[] {
    return this.getEntries().filter((e) => e.name === `${name}` && (type === undefined || e.entryType === `${type}`));
  }
}

export class PerformanceObserver {
  static get supportedEntryTypes(): readonly string[] {
    return supported;
  }
  constructor(callback: unknown) {
    if (typeof callback !== 'function')
      throw new TypeError("Failed to construct 'PerformanceObserver': the argument is not a function");
    observerStates.set(this, {
      callback: callback as ObserverState['callback'],
      types: [],
      queue: [],
      scheduled: false,
    });
  }
  observe(options: unknown = {}): void {
    const state = observerStates.get(this);
    if (!state) throw new TypeError('Illegal invocation');
    const { buffered, entryTypes, type } = (options ?? {}) as {
      buffered?: unknown;
      entryTypes?: unknown;
      type?: unknown;
    };
    if (entryTypes === undefined && type === undefined) throw new TypeError('entryTypes or type must be given');
    if (entryTypes !== undefined && type !== undefined) throw new TypeError('entryTypes and type cannot both be given');
    if (entryTypes !== undefined)
      state.types = [...(entryTypes as Iterable<unknown>)].map(String).filter((t) => supported.includes(t));
    else state.types.push(`${type}`);
    observers.add(this);
    if (buffered) for (const entry of entries) enqueueEntry(this, entry);
  }
  disconnect(): void {
    const state = observerStates.get(this);
    if (state) state.queue = [];
    observers.delete(this);
  }
  takeRecords(): PerformanceEntry[] {
    const state = observerStates.get(this);
    if (!state) throw new TypeError('Illegal invocation');
    const list = state.queue;
    state.queue = [];
    return list;
  }
}

const supported = Object.freeze(['mark', 'measure']) as readonly string[];

expose(PerformanceEntry, 'PerformanceEntry');
expose(PerformanceMark, 'PerformanceMark');
expose(PerformanceMeasure, 'PerformanceMeasure');
expose(Performance, 'Performance');
expose(PerformanceObserver, 'PerformanceObserver');
expose(PerformanceObserverEntryList, 'PerformanceObserverEntryList');
export const performance = new Performance(making);
