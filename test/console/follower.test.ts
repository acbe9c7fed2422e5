import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Change, type Connection, Follower } from '../../src/console/model/follower.ts';
import { Problem, unreachable } from '../../src/console/model/problem.ts';
import { mergeFirstPage, Query, Store } from '../../src/console/model/store.ts';

/** A journal that cuts each stream after so many events, in the middle of the next one. */
class Journal {
  readonly events: string[] = [];
  cutAfter = Number.POSITIVE_INFINITY;
  refusal: Problem | undefined;
  opened: string[] = [];
  #wake = Promise.withResolvers<void>();

  write(name: string): void {
    this.events.push(name);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async open(cursor: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    this.opened.push(cursor);
    if (this.refusal) throw this.refusal;
    return this.#stream(Number(cursor), signal);
  }

  async *#stream(from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield Buffer.from(': open\n\n');
    let sent = 0;
    for (let at = from; !signal.aborted; ) {
      const name = this.events[at];
      if (name === undefined) {
        await Promise.race([
          this.#wake.promise,
          new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
        ]);
        continue;
      }
      const text = `event: ${name}\nid: ${++at}\ndata: {"at":${at}}\n\n`;
      if (sent++ >= this.cutAfter) {
        yield Buffer.from(text.slice(0, 12));
        return;
      }
      yield Buffer.from(text);
    }
  }
}

function follow(journal: Journal, now = '0') {
  const changes: Change[] = [];
  const states: Connection[] = [];
  const told = { resumed: 0, gaps: 0 };
  const waiting = new Set<() => void>();
  const follower = new Follower({
    now: async () => now,
    open: (cursor, signal) => journal.open(cursor, signal),
    onChange: (change) => changes.push(change),
    onConnection: (state) => states.push(state),
    onResumed: () => told.resumed++,
    onGap: () => told.gaps++,
    // Time passes at once where it is a matter of trying again; a silent stream is not waited for.
    wait: (ms, signal) =>
      ms <= 5_000
        ? new Promise((resolve) => setImmediate(resolve))
        : new Promise((resolve) => {
            waiting.add(resolve);
            signal.addEventListener('abort', () => resolve());
          }),
  });
  return { follower, changes, states, told, waiting };
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve));
}

test('a stream that is cut again and again tells of each event once, in order', async () => {
  const journal = new Journal();
  const { follower, changes, told } = follow(journal);
  await follower.start();
  for (let cut = 0; cut < 20; cut++) {
    journal.cutAfter = 1 + (cut % 3);
    for (let i = 0; i < 5; i++) journal.write(`event.${cut}.${i}`);
    await until(() => changes.length >= cut * 5);
  }
  journal.cutAfter = Number.POSITIVE_INFINITY;
  journal.write('event.last');
  await until(() => changes.at(-1)?.type === 'event.last');
  assert.deepEqual(
    changes.map(({ type }) => type),
    journal.events,
  );
  assert.ok(told.resumed >= 19, `${told.resumed} times it was said that live frames may be lost`);
  follower.stop();
});

test('a hidden page keeps no stream, and resumes where it was', async () => {
  const journal = new Journal();
  const { follower, changes } = follow(journal);
  await follower.start();
  journal.write('a');
  await until(() => changes.length === 1);
  follower.stop();
  journal.write('b');
  journal.write('c');
  assert.equal(changes.length, 1);
  await follower.start();
  await until(() => changes.length === 3);
  assert.equal(journal.opened.at(-1), '1');
  follower.stop();
});

test('a stream that says nothing for too long is opened again', async () => {
  const journal = new Journal();
  const { follower, waiting, changes } = follow(journal);
  await follower.start();
  await until(() => waiting.size >= 2);
  for (const silence of waiting) silence();
  await until(() => journal.opened.length >= 2);
  journal.write('a');
  await until(() => changes.length === 1);
  follower.stop();
});

test('a workspace that does not answer is tried again, and it says so', async () => {
  const journal = new Journal();
  journal.refusal = unreachable('no');
  const { follower, states } = follow(journal);
  await follower.start();
  await until(() => journal.opened.length >= 3);
  assert.deepEqual([...new Set(states)], ['reconnecting']);
  journal.refusal = undefined;
  await until(() => states.at(-1) === 'live');
  follower.stop();
});

test('a browser that is not signed in any more asks no further', async () => {
  const journal = new Journal();
  journal.refusal = new Problem(401, { code: 'token_missing' });
  const { follower, states } = follow(journal);
  await follower.start();
  await until(() => states.at(-1) === 'refused');
  const { length } = journal.opened;
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(journal.opened.length, length);
});

test('where more has happened than is kept it goes on from now, and says that what is shown is out of date', async () => {
  const journal = new Journal();
  for (let i = 0; i < 9; i++) journal.write('old');
  const { follower, changes, told } = follow(journal, '9');
  await follower.start();
  journal.write('a');
  await until(() => changes.length === 1);
  follower.stop();
  journal.refusal = new Problem(410, { code: 'cursor_expired' });
  await follower.start();
  await until(() => told.gaps > 0);
  journal.refusal = undefined;
  await until(() => changes.length > 1);
  follower.stop();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a query is read again after a change that concerns it, once for many at a time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reads = 0;
  const store = new Store(async () => ({ reads: ++reads }) as never);
  const query = store.query('conversations.list', {}, ({ type }) => type === 'mine');
  const end = store.show(query as never);
  await settled();
  assert.deepEqual(query.data.value, { reads: 1 });
  for (let i = 0; i < 100; i++) store.changed({ type: 'mine', data: {} });
  store.changed({ type: 'other', data: {} });
  t.mock.timers.tick(1_000);
  await settled();
  t.mock.timers.tick(1_000);
  await settled();
  assert.equal(reads, 2);
  end();
  store.changed({ type: 'mine', data: {} });
  t.mock.timers.tick(1_000);
  assert.equal(reads, 2, 'what nobody shows is not read');
  assert.equal(
    store.query('conversations.list', {}, () => false),
    query,
  );
});

test('a query that was made before others were dropped is read again once it is shown', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reads: string[] = [];
  const store = new Store(async () => undefined as never);
  const made = (name: string) =>
    store.named(
      name,
      async () => reads.push(name),
      () => true,
    );
  const leave = store.show(made('page before') as never);
  await settled();
  // The next page renders before the one before it unmounts, and shows its queries after that.
  const rows = Array.from({ length: 50 }, (_, index) => made(`row ${index}`));
  leave();
  for (const row of rows) store.show(row as never);
  await settled();
  t.mock.timers.tick(1_000);
  reads.splice(0);
  store.changed({ type: 'any', data: {} });
  await settled();
  assert.equal(reads.length, rows.length);
  assert.equal(made('row 0'), rows[0]);
});

test('a query that fails keeps what it had beside the problem', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let fails = false;
  const query = new Query(
    'a query',
    async () => {
      if (fails) throw new Problem(404, { code: 'conversation_not_found' });
      return 'read';
    },
    () => true,
  );
  query.refresh();
  await settled();
  fails = true;
  t.mock.timers.tick(1_000);
  query.refresh();
  await settled();
  assert.equal(query.data.value, 'read');
  assert.equal(query.problem.value?.code, 'conversation_not_found');
});

test('a list whose first page is read again has new items first and no gap', () => {
  const page = (ids: number[], nextCursor: string | null = null) => ({
    items: ids.map((id) => ({ id: String(id) })),
    nextCursor,
  });
  const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => Number(id));
  const known = page([9, 8, 7, 6, 5, 4], 'c');
  assert.deepEqual(idsOf(mergeFirstPage(known, page([11, 10, 9, 8]))), [11, 10, 9, 8, 7, 6, 5, 4]);
  assert.deepEqual(idsOf(mergeFirstPage(known, page([30, 29], 'd'))), [30, 29], 'what lies between is not known');
  assert.equal(mergeFirstPage(known, page([9, 8], 'd')).nextCursor, 'c');
  assert.deepEqual(idsOf(mergeFirstPage(undefined, page([1]))), [1]);
});

describe('a list that is read page by page', () => {
  type Item = { readonly id: string };
  /** A list of two pages; `answer` gives what was asked for. */
  function aList() {
    const asked: { cursor: string | undefined; answer: (ids: string, nextCursor?: string | null) => void }[] = [];
    const store = new Store(async () => undefined as never);
    const list = () =>
      store.pages<Item>(
        'a list',
        (cursor) =>
          new Promise((resolve) =>
            asked.push({
              cursor,
              answer: (ids, nextCursor = null) => resolve({ items: [...ids].map((id) => ({ id })), nextCursor }),
            }),
          ),
        () => true,
      );
    const shown = () =>
      list()
        .data.value?.items.map(({ id }) => id)
        .join('');
    return { store, list, asked, shown };
  }

  test('two who want more at once get it once', async () => {
    const { store, list, asked, shown } = aList();
    store.show(list() as never);
    asked[0]?.answer('zyx', 'c');
    await settled();
    const both = Promise.all([list().more(), list().more()]);
    assert.deepEqual(
      asked.map(({ cursor }) => cursor),
      [undefined, 'c'],
    );
    asked[1]?.answer('wv');
    await both;
    assert.equal(shown(), 'zyxwv');
  });

  test('an item that is told while the list is read stays, though it was read without it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { store, list, asked, shown } = aList();
    store.show(list() as never);
    asked[0]?.answer('cba');
    await settled();
    t.mock.timers.tick(1_000);
    list().takeNew({ id: 'd' });
    assert.equal(shown(), 'dcba', 'it is shown at once');
    list().refresh();
    list().takeNew({ id: 'e' });
    asked[1]?.answer('dcba');
    await settled();
    assert.equal(shown(), 'edcba');
    list().takeNew({ id: 'd' });
    assert.equal(shown(), 'edcba', 'one that is known is no other one');
  });

  test('what was asked for before the list was read anew is not added to it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { store, list, asked, shown } = aList();
    store.show(list() as never);
    asked[0]?.answer('cba', 'older');
    await settled();
    t.mock.timers.tick(1_000);
    const more = list().more();
    store.refreshAll();
    asked[2]?.answer('zyx', 'c');
    await settled();
    asked[1]?.answer('9');
    await more;
    assert.equal(shown(), 'zyx');
  });

  test('one that fails may be asked for again', async () => {
    let fails = true;
    const store = new Store(async () => undefined as never);
    const list = store.pages<Item>(
      'a list',
      async (cursor) => {
        if (cursor === undefined) return { items: [{ id: 'a' }], nextCursor: 'c' };
        if (fails) throw new Problem(500, {});
        return { items: [{ id: 'b' }], nextCursor: null };
      },
      () => true,
    );
    store.show(list as never);
    await settled();
    await assert.rejects(list.more());
    fails = false;
    await list.more();
    assert.deepEqual(list.data.value, { items: [{ id: 'a' }, { id: 'b' }], nextCursor: null });
  });
});
