import assert from 'node:assert/strict';
import test from 'node:test';
import { MachineError } from '../../src/std/index.ts';
import { anEmulator, everyone } from './an-emulator.ts';

const { ask, post, emulator, workspace } = await anEmulator({
  seed: {
    version: 1,
    channels: [
      { kind: 'messaging-app', name: 'Messenger' },
      { kind: 'sms', name: 'Texts' },
    ],
    agents: [{ name: 'Max', email: 'max@example.org' }],
    workgroups: [{ name: 'Support' }],
    customers: [{ phone: '+4930901820' }, { email: 'ann@example.org' }],
    templates: [
      { name: 'hello', language: 'en', category: 'utility', status: 'approved', body: 'Hello {{1}}' },
      { name: 'draft', language: 'en', category: 'utility', status: 'pending', body: 'Hello' },
    ],
  },
});
const door = emulator.door(everyone);
const send = '/custom-functions/template-app/api/template/send.js';
const link = '/custom-functions/session-link-app/api/session/link.js';
const upload = '/custom-functions/template-app/api/template/upload-credentials.js';
const fresh = '+4930901999';
const text = (length: number) => 'x'.repeat(length);
const agentId = (await door('agents.list', {})).items[0]?.id;
const workgroupId = (await door('workgroups.list', {})).items[0]?.id;

/** Address, body, status, code, and the paths of the fields that are named. */
const table: readonly [what: string, path: string, body: unknown, status: number, code: string, paths?: string[]][] = [
  ['no field at all', '/customers', {}, 422, 'input_invalid'],
  ['a surplus field', '/customers', { phone: fresh, shoe: 43 }, 422, 'input_invalid', ['shoe']],
  ['a field of the wrong type', '/customers', { phone: 4930901999 }, 422, 'input_invalid', ['phone']],
  ['null for a text', '/customers', { phone: null }, 422, 'input_invalid', ['phone']],
  ['a name without end', '/customers', { phone: fresh, name: text(10_000) }, 422, 'input_invalid', ['name']],
  ['a phone number without end', '/customers', { phone: `+49${'3'.repeat(60)}` }, 422, 'input_invalid', ['phone']],
  ['what is no phone number', '/customers', { phone: 'nobody' }, 422, 'recipient_invalid', ['phone']],
  ['a phone number without its country', '/customers', { phone: '030 901820' }, 422, 'recipient_invalid', ['phone']],
  ['what is no address', '/customers', { email: 'ann@' }, 422, 'recipient_invalid', ['email']],
  [
    'phone and e-mail of two customers',
    '/customers',
    { phone: '+4930901820', email: 'ann@example.org' },
    409,
    'customer_ambiguous',
  ],
  ['no template named', send, { to: fresh }, 422, 'input_invalid', ['template']],
  ['an unknown template', send, { to: fresh, template: 'nope' }, 404, 'template_not_found'],
  ['a template that is not approved', send, { to: fresh, template: 'draft' }, 422, 'template_not_approved'],
  [
    'a language the template has not',
    send,
    { to: fresh, template: 'hello', language: 'fr', variables: { body: ['a'] } },
    422,
    'template_language_unknown',
  ],
  ['a missing variable', send, { to: fresh, template: 'hello' }, 422, 'variable_missing', ['variables.body[0]']],
  [
    'half a location',
    send,
    { to: fresh, template: 'hello', variables: { header: { latitude: 52.5 } } },
    422,
    'input_invalid',
    ['variables.header.longitude'],
  ],
  [
    'a location and something else',
    send,
    { to: fresh, template: 'hello', variables: { header: { latitude: 52.5, longitude: 13.4, place: 'Shop' } } },
    422,
    'input_invalid',
    ['variables.header.place'],
  ],
  [
    'a surplus variable',
    send,
    { to: fresh, template: 'hello', variables: { body: ['a', 'b'] } },
    422,
    'variables_invalid',
    ['variables.body[1]'],
  ],
  [
    'an empty variable',
    send,
    { to: fresh, template: 'hello', variables: { body: [''] } },
    422,
    'variables_invalid',
    ['variables.body[0]'],
  ],
  [
    'a variable without end',
    send,
    { to: fresh, template: 'hello', variables: { body: [text(1_500)] } },
    422,
    'variables_invalid',
    ['variables.body[0]'],
  ],
  [
    'a recipient that is none',
    send,
    { to: 'x', template: 'hello', variables: { body: ['a'] } },
    422,
    'recipient_invalid',
    ['to'],
  ],
  [
    'an agent that is not there',
    send,
    { to: fresh, template: 'hello', variables: { body: ['a'] }, assign: { agentEmail: 'no@example.org' } },
    422,
    'agent_not_found',
  ],
  ['an unknown workgroup', link, { phone: fresh, assign: { workgroupId: 'wgr_none' } }, 422, 'workgroup_not_found'],
  [
    'an agent and a workgroup at once',
    link,
    { phone: fresh, assign: { agentId, workgroupId } },
    422,
    'input_invalid',
    ['assign'],
  ],
  ['phone and e-mail at once', link, { phone: fresh, email: 'new@example.org' }, 422, 'input_invalid'],
  ['an unknown channel', link, { phone: fresh, channel: 'Pigeon' }, 404, 'channel_not_found'],
  [
    'an address on a channel of phones',
    link,
    { email: 'new@example.org', channel: 'Texts' },
    422,
    'channel_unreachable',
  ],
  ['an unknown conversation', '/conversations/cnv_none/messages', { text: 'Hi' }, 404, 'conversation_not_found'],
  [
    'media of no kind',
    upload,
    { fileName: 'a.exe', contentType: 'application/exe', bytes: 1 },
    422,
    'media_type_unsupported',
  ],
  ['media without end', upload, { fileName: 'a.png', contentType: 'image/png', bytes: 1e12 }, 413, 'media_too_large'],
  ['a scope that is none', '/tokens', { name: 'ci', scopes: ['fly'] }, 422, 'input_invalid', ['scopes[0]']],
  ['more days than there are', '/development-packs/use', { days: 1 }, 409, 'pack_days_insufficient'],
  [
    'a seed that refers to nobody',
    '/_local/workspace/import',
    { seed: { version: 1, customers: [{ phone: fresh, conversations: [{ channel: 'Pigeon' }] }] } },
    422,
    'seed_invalid',
  ],
];

const before = await door('workspace.export', {});

for (const [what, path, body, status, code, paths] of table) {
  test(`${what} is ${code}, and nothing is half-done`, async () => {
    const response = await post(path, body);
    const problem = (await response.json()) as { code: string; errors?: { path: string }[]; requestId: string };
    assert.deepEqual([response.status, problem.code], [status, code], JSON.stringify(problem));
    assert.equal(response.headers.get('x-request-id'), problem.requestId);
    if (paths)
      assert.deepEqual(
        problem.errors?.map((error) => error.path),
        paths,
      );
    assert.deepEqual(await door('workspace.export', {}), before);
  });
}

test('a key that came with another body is refused, and its second body does nothing', async () => {
  const key = { 'idempotency-key': 'order-1' };
  const first = { to: '+4930901820', template: 'hello', variables: { body: ['Ann'] } };
  assert.equal((await post(send, first, key)).status, 200);
  const refused = await post(send, { ...first, to: fresh }, key);
  assert.deepEqual(
    [refused.status, ((await refused.json()) as { code: string }).code],
    [422, 'idempotency_key_reused'],
  );
  assert.equal((await ask(`/customers/find?phone=${encodeURIComponent(fresh)}`)).status, 404);
});

test('an upload or a file of a deployment that the disk has no room for is refused as such', async (t) => {
  const full = () => Promise.reject(new MachineError('disk_full', 'The disk is full', { hint: 'Make room.' }));
  t.mock.method(workspace.media, 'receive', full);
  t.mock.method(workspace.deployments, 'putFile', full);
  const addresses = [
    '/media/med_01AAAAAAAAAAAAAAAAAAAAAAAA?expires=1&signature=x',
    `/apps/shop/deployments/dpl_01AAAAAAAAAAAAAAAAAAAAAAAA/files/${'0'.repeat(64)}`,
  ];
  for (const address of addresses) {
    const response = await ask(address, { method: 'PUT', body: 'x' });
    const { code, hint } = (await response.json()) as { code: string; hint: string };
    assert.deepEqual([response.status, code, hint], [507, 'disk_full', 'Make room.'], address);
  }
});

test('the clock never reaches a year of five digits, which is no RFC 3339 time', async () => {
  for (const now of ['9999-12-31T23:59:59Z', '9999-01-01T00:00:01Z']) {
    await assert.rejects(door('clock.set', { now }), { code: 'input_invalid', status: 422 });
  }
  await door('clock.set', { now: '9998-06-01T00:00:00Z' });
  await assert.rejects(door('clock.advance', { ms: 366 * 86_400_000 }), { code: 'input_invalid', status: 422 });
  await door('clock.set', { now: 'system' });
});
