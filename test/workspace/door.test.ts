import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOperationName, limits, operationNames, operationOf, type StateOperation } from '../../src/contract/index.ts';
import { handlers } from '../../src/workspace/handlers/index.ts';
import fc from '../properties.ts';
import { admin, allPages, aWorkspace, codeOf, functionOf, noon, withScopes } from './support.ts';

test('every operation on the state has a handler, and no handler is without a row', () => {
  const rows = operationNames.filter((name) => operationOf(name).by === 'state');
  assert.deepEqual(Object.keys(handlers).sort(), [...rows].sort());
  for (const name of Object.keys(handlers)) assert.ok(isOperationName(name));
});

test('every operation is refused without its scope, whatever its input', async (t) => {
  const { workspace } = await aWorkspace(t);
  for (const name of Object.keys(handlers) as StateOperation[]) {
    const caller = { ...functionOf(operationOf(name).onlyApp ?? 'desk'), type: 'token' as const, scopes: [] };
    assert.equal(await codeOf(workspace.call(name, {} as never, caller)), 'token_scope', name);
  }
});

test('the scope admin stands for all others; write does not stand for send', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed: 'default' });
  const [conversation] = (await call('conversations.list', {}, withScopes('admin'))).items;
  const message = { conversationId: conversation?.id ?? '', text: 'Hello' };
  const error = await refused('messages.send', message, withScopes('read', 'write'));
  assert.equal(error.code, 'token_scope');
  assert.deepEqual(error.details, { needed: 'send', given: ['read', 'write'] });
  await call('messages.send', message, withScopes('send'));
});

test('what belongs to one app is refused to every other caller', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed: 'default' });
  for (const caller of [admin, functionOf('desk'), functionOf('session-link-app')]) {
    const error = await refused('messages.sendTemplate', { to: '+4930901820', template: 'order_shipped' }, caller);
    assert.equal(error.code, 'operation_not_allowed');
  }
  await call('conversations.link', { phone: '+4930901820' }, functionOf('session-link-app'));
});

test('a function reaches only what is part of the sdk, and only what its own app keeps', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('vars.set', { app: 'desk', name: 'greeting', value: 'Hello' });
  assert.equal((await refused('tokens.list', {}, functionOf('desk'))).code, 'operation_not_allowed');
  assert.equal(
    (await refused('vars.get', { app: 'desk', name: 'greeting' }, functionOf('shop'))).code,
    'operation_not_allowed',
  );
  assert.equal((await call('vars.get', { app: 'desk', name: 'greeting' }, functionOf('desk'))).value, 'Hello');
});

test('each field that does not fit is named with its path', async (t) => {
  const { refused } = await aWorkspace(t);
  const errorsOf = async (name: StateOperation, input: unknown, caller = admin) =>
    (await refused(name, input, caller)).errors;
  assert.deepEqual(await errorsOf('customers.get', {}), [{ path: 'id', message: 'is missing' }]);
  assert.deepEqual(await errorsOf('customers.get', { id: 'cus_1', expand: true, more: 1 }), [
    { path: 'expand', message: 'is not a known field; known: id' },
    { path: 'more', message: 'is not a known field; known: id' },
  ]);
  assert.deepEqual(await errorsOf('customers.get', { id: 7 }), [
    { path: 'id', message: 'must be a text, not a number' },
  ]);
  const tooLong = await errorsOf('tokens.create', { name: 'x'.repeat(101), scopes: ['read', 'fly'] });
  assert.deepEqual(
    tooLong?.map((problem) => problem.path),
    ['name', 'scopes[1]'],
  );
  const variables = {
    carousel: [
      {},
      {
        buttons: [
          { index: 0, value: 'a' },
          { index: 0, valu: 'a' },
        ],
      },
    ],
  };
  const nested = await errorsOf(
    'messages.sendTemplate',
    { to: '+4930901820', template: 'x', variables },
    functionOf('template-app'),
  );
  assert.deepEqual(
    nested?.map((problem) => problem.path),
    ['variables.carousel[1].buttons[1].value', 'variables.carousel[1].buttons[1].valu'],
  );
});

test('what does not fit is said in words of people', async (t) => {
  const { refused } = await aWorkspace(t);
  const said = async (name: StateOperation, input: unknown) =>
    (await refused(name, input)).errors?.map(({ path, message }) => `${path} ${message}`);
  assert.deepEqual(await said('customers.list', { limit: 0 }), ['limit must be at least 1']);
  assert.deepEqual(await said('customers.list', { limit: 201 }), ['limit must be at most 200']);
  assert.deepEqual(await said('packs.use', { days: -1 }), ['days must be more than 0']);
  assert.deepEqual(await said('customers.findOrCreate', { phone: '' }), ['phone is empty']);
  assert.deepEqual(await said('tokens.create', { name: 'x'.repeat(101), scopes: [] }), [
    'name must have at most 100 characters',
    'scopes must have at least 1 item',
  ]);
  assert.deepEqual(await said('conversations.list', { status: 'odd' }), ['status must be one of "open", "closed"']);
});

test('a name that is no operation, or none on the state, is refused', async (t) => {
  const { workspace } = await aWorkspace(t);
  for (const name of ['customers.destroy', '__proto__', 'toString', 'constructor', '', 'functions.invoke']) {
    const input = { app: 'desk', name: 'x' };
    assert.equal(
      await codeOf(workspace.call(name as StateOperation, input as never, admin)),
      'operation_not_allowed',
      name,
    );
  }
});

test('an agent and a workgroup at once is refused with the path of the field', async (t) => {
  const { refused } = await aWorkspace(t);
  const error = await refused('conversations.assign', {
    id: 'cnv_1',
    assign: { agentId: 'agt_1', workgroupId: 'wgr_1' },
  });
  assert.equal(error.code, 'input_invalid');
  assert.deepEqual(error.errors, [
    { path: 'assign', message: 'give exactly one of agentId, agentEmail and workgroupId' },
  ]);
});

test('inputs that are no objects are refused as such', async (t) => {
  const { refused } = await aWorkspace(t);
  for (const input of ['text', 7, true, ['a']]) {
    assert.equal((await refused('customers.get', input)).code, 'input_invalid');
  }
});

test('__proto__, constructor and prototype are fields like any other unknown one', async (t) => {
  const { refused, call } = await aWorkspace(t);
  const input = JSON.parse('{"id": "cus_1", "__proto__": {"admin": true}, "constructor": 1}');
  assert.equal((await refused('customers.get', input)).code, 'input_invalid');
  const fields = JSON.parse('{"__proto__": {"admin": true}, "city": "Hamburg"}');
  const customer = await call('customers.findOrCreate', { phone: '+4930901820', fields });
  assert.equal(({} as { admin?: boolean }).admin, undefined);
  assert.equal((customer.fields as { admin?: boolean }).admin, undefined);
  assert.equal(customer.fields['city'], 'Hamburg');
});

test('an input nested 100,000 levels deep is refused, not run into the ground', async (t) => {
  const { refused } = await aWorkspace(t);
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) value = depth % 2 === 0 ? [value] : { value };
  const error = await refused('store.set', { key: 'deep', value }, functionOf('desk'));
  assert.equal(error.code, 'body_too_deep');
});

test('check gives the parsed input of an operation that a machine carries out', async (t) => {
  const { workspace } = await aWorkspace(t);
  assert.deepEqual(await workspace.check('clock.advance', { ms: '1000' }, admin), { ms: 1000 });
  assert.equal(await codeOf(workspace.check('clock.advance', { ms: '1000' }, withScopes('read'))), 'token_scope');
  assert.equal(await codeOf(workspace.check('clock.advance', { ms: -1 }, admin)), 'input_invalid');
});

test('events are in the journal with the change, and are heard after the commit', async (t) => {
  const { workspace, call, heard } = await aWorkspace(t);
  assert.equal(await workspace.events.latest(), 0);
  const seenAtEvent: Promise<unknown>[] = [];
  const end = workspace.events.subscribe((event) => {
    const { customer } = event.data as { customer: { id: string } };
    seenAtEvent.push(call('customers.get', { id: customer.id }));
  });
  const customer = await call('customers.findOrCreate', { phone: '+4930901820' });
  end();
  await Promise.all(seenAtEvent);
  assert.equal(seenAtEvent.length, 1);
  await call('customers.update', { id: customer.id, name: 'Ann' });
  assert.equal(seenAtEvent.length, 1, 'heard after the end of the subscription');

  const events = await workspace.events.after(0, 10);
  assert.deepEqual(events, heard);
  assert.deepEqual(
    events.map((event) => event.type),
    ['customer.created', 'customer.updated'],
  );
  assert.deepEqual(events[1]?.previous, { name: null });
  assert.deepEqual(events[0]?.actor, { type: 'api', id: 'tok_admin' });
  assert.equal(events[0]?.timestamp, new Date(noon).toISOString());
  assert.equal(await workspace.events.latest(), events[1]?.seq);
  assert.deepEqual(await workspace.events.after(events[0]?.seq ?? 0, 1), [events[1]]);
});

test('nothing is announced of what was refused', async (t) => {
  const { workspace, heard, refused } = await aWorkspace(t, { seed: 'default' });
  const input = { to: '+4930901829', template: 'order_shipped', variables: { body: ['Ann'] } };
  assert.equal((await refused('messages.sendTemplate', input, functionOf('template-app'))).code, 'variable_missing');
  assert.deepEqual(heard, []);
  assert.equal(await workspace.events.latest(), 0);
});

test('events of one conversation are counted from one', async (t) => {
  const { call, workspace } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'One' });
  await call('messages.send', { conversationId, text: 'Two' });
  await call('conversations.close', { id: conversationId });
  const events = (await workspace.events.after(0, 50)).filter((event) => event.conversationId === conversationId);
  assert.deepEqual(
    events.map((event) => [event.type, event.sequence]),
    [
      ['conversation.created', 1],
      ['message.received', 2],
      ['message.sent', 3],
      ['message.status', 4],
      ['conversation.closed', 5],
    ],
  );
});

test('an object of more than 20 kB is named in its event, not repeated', async (t) => {
  const { call, heard } = await aWorkspace(t);
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820', fields: { text: 'x'.repeat(20_000) } });
  assert.deepEqual(heard[0]?.data, { customer: { id, truncated: true } });
});

test('a listener that throws neither undoes the change nor keeps others from hearing', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  let heard = 0;
  workspace.events.subscribe(() => {
    throw new Error('a listener of the test');
  });
  workspace.events.subscribe(() => {
    heard++;
  });
  await call('customers.findOrCreate', { phone: '+4930901820' });
  assert.equal(heard, 1);
  assert.equal((await warned).message, 'a listener of the test');
});

test('If-Match with the version that is there passes, any other is a conflict', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  const { created: _, ...customer } = await call('customers.findOrCreate', { phone: '+4930901820' });
  const etag = workspace.etagOf('customers.get', await call('customers.get', { id: customer.id }));
  assert.match(etag ?? '', /^"[\w-]+"$/);
  assert.equal(workspace.etagOf('customers.get', { ...customer, created: true }), etag);

  const changed = await call('customers.update', { id: customer.id, name: 'Ann' }, admin, { ifMatch: etag ?? '' });
  const stale = await refused('customers.update', { id: customer.id, name: 'Bea' }, admin, { ifMatch: etag ?? '' });
  assert.equal(stale.code, 'version_conflict');
  assert.equal(stale.exitCode, 9);
  assert.equal((await call('customers.get', { id: customer.id })).name, 'Ann');
  await call('customers.update', { id: customer.id, name: 'Bea' }, admin, {
    ifMatch: `"other", W/${workspace.etagOf('customers.update', changed)}`,
  });
  await call('customers.update', { id: customer.id, name: 'Cleo' }, admin, { ifMatch: '*' });
});

test('one of two changes made against the same version wins, the other is told', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const customer = await call('customers.findOrCreate', { phone: '+4930901820' });
  const ifMatch = workspace.etagOf('customers.get', customer) ?? '';
  const names = Array.from({ length: 20 }, (_, n) => `Name ${n}`);
  const done = await Promise.allSettled(
    names.map((name) => workspace.call('customers.update', { id: customer.id, name }, admin, { ifMatch })),
  );
  assert.equal(done.filter((one) => one.status === 'fulfilled').length, 1);
});

test('the same key and input give the first answer again, and nothing happens twice', async (t) => {
  const { call, clock } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hello' });
  let replays = 0;
  const options = { idempotencyKey: 'send-1', onReplay: () => replays++ };
  const first = await call('messages.send', { conversationId, text: 'Once' }, admin, options);
  assert.equal(replays, 0);
  clock.advance(60_000);
  assert.deepEqual(await call('messages.send', { conversationId, text: 'Once' }, admin, options), first);
  assert.equal(replays, 1);
  assert.equal((await call('messages.list', { conversationId })).items.length, 2);
});

test('the same key with another input is refused', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const options = { idempotencyKey: 'one' };
  await call('customers.findOrCreate', { phone: '+4930901820' }, admin, options);
  const error = await refused('customers.findOrCreate', { phone: '+4930901821' }, admin, options);
  assert.equal(error.code, 'idempotency_key_reused');
  assert.equal(error.status, 422);
  assert.equal((await refused('packs.add', { days: 1 }, admin, options)).code, 'idempotency_key_reused');
});

test('a key counts for its caller, for 24 hours by the workspace clock', async (t) => {
  const { call, clock } = await aWorkspace(t);
  const options = { idempotencyKey: 'one' };
  await call('packs.add', { days: 1 }, admin, options);
  await call('packs.add', { days: 1 }, { ...admin, id: 'tok_other' }, options);
  assert.equal((await call('packs.balance', {})).days, 2);
  clock.advance(24 * 3_600_000 - 1);
  await call('packs.add', { days: 1 }, admin, options);
  assert.equal((await call('packs.balance', {})).days, 2);
  clock.advance(1);
  await call('packs.add', { days: 1 }, admin, options);
  assert.equal((await call('packs.balance', {})).days, 3);
});

test('a refusal keeps no key: the repeat is tried again', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const options = { idempotencyKey: 'one' };
  assert.equal((await refused('packs.use', { days: 1 }, admin, options)).code, 'pack_days_insufficient');
  await call('packs.add', { days: 1 });
  await call('packs.use', { days: 1 }, admin, options);
});

test('a hundred requests with one key at once are one', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => workspace.call('packs.add', { days: 2 }, admin, { idempotencyKey: 'many' })),
  );
  assert.equal(new Set(answers.map((answer) => answer.id)).size, 1);
  assert.equal((await call('packs.balance', {})).days, 2);
});

test('whatever the order and number of repeats, each key has happened once', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 }), async (keys) => {
      const run = runs++;
      const before = (await call('packs.balance', {})).days;
      for (const key of keys) {
        await workspace.call('packs.add', { days: 1 }, admin, { idempotencyKey: `${run}/${key}` });
      }
      assert.equal((await call('packs.balance', {})).days, before + new Set(keys).size);
    }),
    { numRuns: 20 },
  );
});

test('an idempotency key that is no header value is refused', async (t) => {
  const { refused } = await aWorkspace(t);
  for (const idempotencyKey of ['', 'x'.repeat(256), 'a\nb', 'ü']) {
    assert.equal((await refused('packs.add', { days: 1 }, admin, { idempotencyKey })).code, 'header_invalid');
  }
});

test('for machine operations a key begins, answers, and is refused meanwhile', async (t) => {
  const { workspace } = await aWorkspace(t);
  const { begin, finish, abandon } = workspace.idempotency;
  const answer = { status: 201, headers: { 'content-type': 'application/json' }, body: '{}' };
  assert.deepEqual(await begin('k', admin, 'POST /x 1'), {});
  assert.equal(await codeOf(begin('k', admin, 'POST /x 1')), 'idempotency_key_running');
  assert.equal(await codeOf(begin('k', admin, 'POST /x 2')), 'idempotency_key_reused');
  await finish('k', admin, answer);
  assert.deepEqual(await begin('k', admin, 'POST /x 1'), { replay: answer });
  assert.equal(await codeOf(begin('k', admin, 'POST /x 2')), 'idempotency_key_reused');
  assert.deepEqual(await begin('other', admin, 'POST /x 1'), {});
  await abandon('other', admin);
  assert.deepEqual(await begin('other', admin, 'POST /x 3'), {});
});

test('a key under which something still runs is refused for anything else, and both keep their answers', async (t) => {
  const { workspace, call, refused } = await aWorkspace(t);
  const { begin, finish } = workspace.idempotency;
  const options = { idempotencyKey: 'k' };
  const answer = { status: 200, headers: {}, body: '{}' };
  await begin('k', admin, 'POST /x');
  assert.equal((await refused('packs.add', { days: 1 }, admin, options)).code, 'idempotency_key_reused');
  await finish('k', admin, answer);
  assert.deepEqual(await begin('k', admin, 'POST /x'), { replay: answer });
  assert.equal((await refused('packs.add', { days: 1 }, admin, options)).code, 'idempotency_key_reused');
  assert.equal((await call('packs.balance', {})).days, 0);
});

test('what was running when the process ended is running no longer', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  await first.workspace.idempotency.begin('k', admin, 'POST /x');
  const second = await first.reopened();
  assert.deepEqual(await second.workspace.idempotency.begin('k', admin, 'POST /x'), {});
});

test('pages follow each other without gap or double, whatever their size and whatever comes in between', async (t) => {
  const { call, clock } = await aWorkspace(t);
  for (let n = 0; n < 25; n++) {
    await call('customers.findOrCreate', { phone: `+493090182${String(n).padStart(3, '0')}` });
    if (n % 3 === 0) clock.advance(1);
  }
  let more = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.nat(3), async (limit, inserts) => {
      let left = inserts;
      const before = (await call('customers.list', { limit: 200 })).items.map((item) => item.id);
      const paged = await allPages(async (cursor) => {
        const page = await call('customers.list', cursor === undefined ? { limit } : { limit, cursor });
        if (left-- > 0) {
          clock.advance(1);
          await call('customers.findOrCreate', { email: `new${more++}@mail.example` });
        }
        return page;
      });
      assert.deepEqual(
        paged.map((item) => item.id),
        before,
      );
    }),
    { numRuns: 12 },
  );
});

test('a cursor that was changed, or belongs to another list, is refused', async (t) => {
  const { call, refused } = await aWorkspace(t);
  for (const n of [1, 2, 3]) await call('customers.findOrCreate', { phone: `+493090182${n}`, name: `N${n}` });
  const { nextCursor } = await call('customers.list', { limit: 1 });
  const cursor = nextCursor ?? '';
  assert.equal((await refused('conversations.list', { cursor })).code, 'cursor_invalid');
  assert.equal((await refused('customers.list', { cursor, search: 'N' })).code, 'cursor_invalid');
  const error = await refused('customers.list', { cursor: 'made up' });
  assert.equal(error.code, 'cursor_invalid');
  assert.equal(error.errors?.[0]?.path, 'cursor');
  await fc.assert(
    fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'aZ09._-'), async (at, sign) => {
      const changed = cursor.slice(0, at) + sign + cursor.slice(at + 1);
      if (changed === cursor) return;
      assert.equal((await refused('customers.list', { limit: 1, cursor: changed })).code, 'cursor_invalid');
    }),
    { numRuns: 60 },
  );
});

test('a page has at most 200 items, 50 unless asked', async (t) => {
  const { call, refused } = await aWorkspace(t);
  for (let n = 0; n < 60; n++) await call('customers.findOrCreate', { email: `c${n}@mail.example` });
  assert.equal((await call('customers.list', {})).items.length, limits.list.default);
  assert.equal((await call('customers.list', { limit: 200 })).items.length, 60);
  assert.equal((await refused('customers.list', { limit: 201 })).errors?.[0]?.path, 'limit');
});

test('a call whose signal is given up before it begins changes nothing', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const signal = AbortSignal.abort();
  await assert.rejects(workspace.call('packs.add', { days: 1 }, admin, { signal }), { name: 'AbortError' });
  assert.equal((await call('packs.balance', {})).days, 0);
});
