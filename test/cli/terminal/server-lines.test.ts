import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { json, type Weather, weather } from '../../client/server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { runFn } from '../context.ts';

const forged = 'x\nerror forged by the server\r\n\u2028\tX';
const link = `https://x/tenants/acme/conversations/c${forged}`;
const created = { customer: true, conversation: true };
const token = {
  id: `tok_${forged}`,
  name: forged,
  scopes: ['read'],
  token: `fn_${forged}`,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** A workspace whose every id and name has line breaks. */
let server: Weather;
before(async () => {
  server = await weather(({ path }, response) => {
    if (path.includes('session'))
      return json(response, 200, { conversationId: forged, url: link, customerId: forged, created });
    if (path.includes('token'))
      return json(response, 200, { ...token, lastUsedAt: null, expiresAt: null, revokedAt: null });
    if (path.includes('template') || path.includes('message'))
      return json(response, 200, {
        conversationId: forged,
        conversationUrl: link,
        messageId: forged,
        customerId: forged,
        created,
      });
    return json(response, 200, { slug: 'acme', name: forged, url: link, token, clock: {}, version: forged });
  });
});
after(() => server.close());

const lines = async (argv: readonly string[], input?: string) => {
  const home = temporaryFolder('fn-home');
  const env = {
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    FN_BASE_URL: server.url,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: 't',
  };
  const { exitCode, out, err } = await runFn(argv, { cwd: home, env, ...(input !== undefined && { input }) });
  assert.equal(exitCode, 0, err);
  return out.split('\n').slice(0, -1);
};

for (const [name, argv, count] of [
  ['link', ['link', '--phone', '+4930901820'], 1],
  ['template send', ['template', 'send', 'hello', '--to', '+4930901820'], 1],
  ['token create', ['token', 'create', 'ci'], 1],
  ['whoami', ['whoami'], 3],
  ['login', ['login', '--profile', 'p'], 3],
] as const) {
  test(`${name}: a line break in an id or a name of a server makes no line of the output`, async () => {
    const printed = await lines(argv);
    assert.equal(printed.length, count, printed.join('\n'));
    assert.ok(printed.some((line) => /x error forged by the server/.test(line)));
  });
}
