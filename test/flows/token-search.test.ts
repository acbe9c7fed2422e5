import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openClient } from '../../src/client/index.ts';
import { runFn } from '../cli/context.ts';
import { spawnFn } from '../cli/fn-process.ts';
import { json, weather } from '../client/server.ts';
import { anApp, answering, type Elsewhere, elsewhere, shout } from '../deploy/elsewhere.ts';

let remote: Elsewhere;
let folder = '';
before(async () => {
  remote = await elsewhere();
  folder = anApp({ 'functions/api/greet.js': answering('one'), 'lib/shout.js': shout });
});
after(async () => {
  await remote.close();
});

const lines = [
  ...['deploy', 'deploy --dry-run', 'whoami', 'versions', 'status', 'diff', 'logs', 'pull', 'list --remote', 'doctor'],
  ...['invoke greet --remote', 'invoke greet --relay', 'rollback dpl_no --yes', 'secret set A --from-variable NO'],
  ...[
    'template send no --to +4930901820',
    'link --phone +4930901820',
    'api GET /customers',
    'token list',
    'profile list',
  ],
];

test('the API token is in no output, log, summary, file or bundle', async () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    GITHUB_OUTPUT: join(folder, 'output.txt'),
  };
  const env = { ...remote.env, ...github, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
  for (const line of lines) {
    for (const more of ['--debug', '--debug --json']) {
      const { out, err } = await runFn([...line.split(' '), ...more.split(' ')], { cwd: folder, env });
      assert.ok(!(out + err).includes(remote.token), `fn ${line} ${more}`);
    }
  }
  for (const path of readdirSync(folder, { recursive: true })) {
    const file = join(folder, String(path));
    if (statSync(file).isFile()) assert.ok(!readFileSync(file).includes(remote.token), file);
  }
  const client = openClient({ baseUrl: remote.url, slug: remote.slug, token: remote.token, env: {} });
  const { id, manifest } = await client('deployments.show', { app: 'order-desk', id: 'live' });
  for (const { sha256, sourceMapSha256 } of manifest) {
    for (const blob of [sha256, sourceMapSha256].filter((one) => one !== undefined)) {
      const bytes = await client.readBytes('deployments.getFile', { app: 'order-desk', id, sha256: blob }, 1e6);
      assert.ok(!Buffer.from(bytes).includes(remote.token));
    }
  }
});

test('an answer that repeats the token does not bring it to the screen', async () => {
  const echo = await weather(({ headers }, response) =>
    json(response, 422, { code: 'input_invalid', title: 'no', detail: `You sent ${headers.authorization}` }),
  );
  const env = { ...remote.env, FN_BASE_URL: echo.url };
  for (const line of ['whoami', 'link --phone +4930901820', 'deploy --json', 'versions --debug']) {
    const { out, err } = await runFn(line.split(' '), { cwd: folder, env });
    assert.ok(!(out + err).includes(remote.token), `fn ${line}: ${err}`);
  }
  await echo.close();
});

test('the list of processes does not show it', { skip: process.platform !== 'linux' && 'looks in /proc' }, async () => {
  const asked = Promise.withResolvers<void>();
  const silent = await weather(() => asked.resolve());
  const { child, ended } = spawnFn(['login', `${silent.url}/tenants/acme`, '--token-stdin'], { cwd: folder });
  child.stdin.end(remote.token);
  await asked.promise;
  const shown = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid).includes(remote.token));
  child.kill('SIGKILL');
  await ended;
  await silent.close();
  assert.deepEqual(shown, []);
});

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
