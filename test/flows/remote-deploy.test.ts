import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { anApp, answering, type Elsewhere, elsewhere, read, shout, writeFiles } from '../deploy/elsewhere.ts';

let remote: Elsewhere;
let folder = '';
let app = '';
let count = 0;

before(async () => {
  remote = await elsewhere();
});
after(async () => {
  await remote.close();
});
beforeEach(() => {
  app = `desk-${++count}`;
  folder = aFolder();
});

function aFolder(
  files: Record<string, string> = { 'functions/api/greet.js': answering('one'), 'lib/shout.js': shout },
): string {
  return anApp(files, app);
}

const fn = (...argv: string[]) => runFn(argv, { cwd: folder, env: remote.env });
const fnIn = (cwd: string, ...argv: string[]) => runFn(argv, { cwd, env: remote.env });

async function deployed(...argv: string[]) {
  const { exitCode, out, err } = await fn('deploy', '--json', ...argv);
  assert.equal(exitCode, 0, err);
  return JSON.parse(out);
}

async function served(): Promise<unknown> {
  const url = `${remote.url}/api/acme/custom-functions/${app}/api/greet.js`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${remote.token}` } });
  return response.status === 200 ? ((await response.json()) as { text: unknown }).text : response.status;
}

describe('deploy', () => {
  test('does not put sources live that are saved all the time, and does when they rest', async () => {
    const saves = setInterval(() => {
      const half = join(folder, 'lib/shout.js.new');
      writeFileSync(half, `${shout}// ${performance.now()}\n`);
      renameSync(half, join(folder, 'lib/shout.js'));
    }, 1);
    const { exitCode, err } = await fn('deploy', '--json');
    clearInterval(saves);
    assert.equal(exitCode, 2, err);
    assert.equal(JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code, 'sources_changing');
    assert.equal(await served(), 404);
    assert.equal((await deployed()).outcome, 'done');
  });

  test('puts functions live at their documented address, and a second run does nothing', async () => {
    const first = await deployed('--message', 'the first');
    assert.equal(first.outcome, 'done');
    assert.equal(first.previous, null);
    assert.deepEqual(
      first.changes.map(({ path, kind }: { path: string; kind: string }) => [path, kind]),
      [['api/greet.js', 'create']],
    );
    assert.equal(await served(), 'ONE!');
    const second = await deployed();
    assert.equal(second.outcome, 'unchanged');
    assert.equal(second.deployment, first.deployment);
    const versions = JSON.parse((await fn('versions', '--json', '--all')).out);
    assert.equal(versions.items.length, 1);
    assert.equal(versions.items[0].message, 'the first');
  });

  test('says while the app waits for the settings of its setup, and is quiet once it has them', async () => {
    writeFiles(folder, {
      'functions/setup.js': `export const config = { type: 'custom-app-setup', settings: { type: 'object', required: ['group'] } };
export default async (sdk) => sdk.setup.settings;
`,
    });
    const first = await fn('deploy');
    assert.equal(first.exitCode, 0, first.err);
    assert.match(first.err, new RegExp(`${app} is not installed in acme: .*app_not_installed`));
    assert.match(first.err, new RegExp(`fn app install ${app} --settings`));
    assert.equal(await served(), 404);
    const again = await deployed();
    assert.deepEqual([again.outcome, again.waitsForInstall], ['unchanged', true]);

    assert.equal((await fn('app', 'install', app, '--settings', '{"group":"Support"}')).exitCode, 0);
    assert.equal(await served(), 'ONE!');
    const { err } = await fn('deploy');
    assert.doesNotMatch(err, /install/);
    assert.equal((await deployed()).waitsForInstall, false);
  });

  test('to a profile that was named for it proposes the next command for that profile', async () => {
    const { FN_BASE_URL, FN_WORKSPACE, ...env } = remote.env;
    writeFiles(folder, { 'fn.config.json': JSON.stringify({ version: 1, app, secrets: ['SHOP_KEY'] }) });
    const login = ['login', `${FN_BASE_URL}/tenants/${FN_WORKSPACE}`, '--profile', 'staging', '--token-stdin'];
    const { exitCode, err } = await runFn(login, { cwd: folder, env, input: `${remote.token}\n` });
    assert.equal(exitCode, 0, err);
    const refused = await runFn(['deploy', '--profile', 'staging'], { cwd: folder, env });
    assert.equal(refused.exitCode, 1);
    assert.match(
      refused.err,
      new RegExp(`${app} has no value for SHOP_KEY in acme\n.*fn secret set SHOP_KEY --profile staging`),
    );
  });

  test('of one function, named, says that the others stay because they were not named', async () => {
    writeFiles(folder, { 'functions/api/other.js': answering('other') });
    await deployed();
    const { out } = await fn('deploy', 'greet', '--dry-run');
    assert.match(out, /1 unchanged\n {2}1 live and not named: kept\n/);
  });

  test('changes what changed, and a rollback brings the old version back', async () => {
    const first = await deployed();
    const shown = async () => (await fn('status')).out;
    assert.match(await shown(), /nothing was live before/);
    writeFiles(folder, { 'functions/api/greet.js': answering('two') });
    const second = await deployed();
    assert.ok((await shown()).includes(`replaced ${first.deployment}`));
    assert.equal(second.changes[0].kind, 'update');
    assert.equal(await served(), 'TWO!');
    const back = await fn('rollback', '--json');
    assert.equal(JSON.parse(back.out).deployment, first.deployment);
    assert.equal(await served(), 'ONE!');
    assert.ok((await shown()).includes(`replaced ${second.deployment}`));
    assert.equal((await fn('rollback', second.deployment)).exitCode, 0);
    assert.ok((await shown()).includes(`replaced ${first.deployment}`));
    assert.equal(await served(), 'TWO!');
  });

  test('with --dry-run shows the plan and changes nothing', async () => {
    const { exitCode, out } = await fn('deploy', '--dry-run');
    assert.equal(exitCode, 0);
    assert.match(out, /\+ api\/greet\.js {2}create/);
    assert.equal(await served(), 404);
  });

  test('keeps what is live and not here, until --prune is given', async () => {
    writeFiles(folder, { 'functions/api/other.js': answering('other') });
    await deployed();
    rmSync(join(folder, 'functions/api/other.js'));
    assert.equal((await deployed()).outcome, 'unchanged');
    const pruned = await deployed('--prune');
    assert.deepEqual(
      pruned.changes.map(({ path, kind }: { path: string; kind: string }) => `${kind} ${path}`),
      ['unchanged api/greet.js', 'delete api/other.js'],
    );
  });

  test('of one function leaves the others as they are live', async () => {
    writeFiles(folder, { 'functions/api/other.js': answering('other') });
    await deployed();
    writeFiles(folder, { 'functions/api/greet.js': answering('two'), 'functions/api/other.js': answering('changed') });
    const { changes } = await deployed('greet');
    assert.deepEqual(
      changes.map(({ path, kind }: { path: string; kind: string }) => `${kind} ${path}`),
      ['update api/greet.js', 'keep api/other.js'],
    );
  });

  test('takes the settings of the app along', async () => {
    writeFiles(folder, { 'fn.config.json': JSON.stringify({ version: 1, app, env: { REGION: 'eu' } }) });
    await deployed();
    const url = `${remote.url}/api/acme/custom-functions/${app}/api/greet.js`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${remote.token}` } });
    assert.deepEqual(await response.json(), { text: 'ONE!', region: 'eu' });
  });

  test('whose source does not build sends nothing, and names file and line', async () => {
    writeFiles(folder, { 'functions/api/broken.js': 'export const config = {\n  type: "server-side-method"\n' });
    const { exitCode, err } = await fn('deploy');
    assert.equal(exitCode, 2);
    assert.match(err, /functions\/api\/broken\.js:\d+:\d+/);
    assert.equal(await served(), 404);
  });

  test('whose secrets have no value fails before anything is sent, and passes once they have', async () => {
    writeFiles(folder, { 'fn.config.json': JSON.stringify({ version: 1, app, secrets: ['STRIPE_KEY'] }) });
    const refused = await fn('deploy');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.err, /STRIPE_KEY/);
    assert.equal(
      (await runFn(['secret', 'set', 'STRIPE_KEY', '--stdin'], { cwd: folder, env: remote.env, input: 'sk_live_1\n' }))
        .exitCode,
      0,
    );
    assert.equal((await deployed()).outcome, 'done');
  });

  test('over what somebody else put live stops with 9 and names it; --force overwrites', async () => {
    await deployed();
    const colleague = aFolder({ 'functions/api/greet.js': answering('theirs'), 'lib/shout.js': shout });
    assert.equal((await fnIn(colleague, 'deploy')).exitCode, 0);
    writeFiles(folder, { 'functions/api/greet.js': answering('mine') });
    const { exitCode, err } = await fn('deploy');
    assert.equal(exitCode, 9);
    assert.match(err, /dpl_/);
    assert.equal(await served(), 'THEIRS!');
    assert.equal((await deployed('--force')).outcome, 'done');
    assert.equal(await served(), 'MINE!');
  });

  test('of two at once: one wins, the other ends with 9, and what is live is one of the two', async () => {
    await deployed();
    const colleague = aFolder({ 'functions/api/greet.js': answering('b'), 'lib/shout.js': shout });
    writeFiles(folder, { 'functions/api/greet.js': answering('a') });
    const ends = await Promise.all([fn('deploy', '--json'), fnIn(colleague, 'deploy', '--json')]);
    const codes = ends.map(({ exitCode }) => exitCode).sort();
    assert.ok(
      codes.every((code) => code === 0 || code === 9),
      String(codes),
    );
    assert.ok(codes.includes(0));
    assert.match(String(await served()), /^[AB]!$/);
  });

  test('of an older commit does not replace a newer one', async () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false', ...args],
        { cwd, stdio: 'pipe' },
      );
    git(folder, 'init', '-q');
    writeFiles(folder, { '.gitignore': '.fn/\n' });
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'one', '--date', '2026-01-01T00:00:00Z');
    const older = aFolder();
    rmSync(older, { recursive: true });
    git(folder, 'clone', '-q', folder, older);
    writeFiles(folder, { 'functions/api/greet.js': answering('newer') });
    git(folder, 'commit', '-qam', 'two');
    assert.match((await deployed()).commit.sha, /^[0-9a-f]{40}$/);
    const refused = await fnIn(older, 'deploy');
    assert.equal(refused.exitCode, 9);
    assert.match(refused.err, /older/);
    assert.equal(await served(), 'NEWER!');
    assert.equal((await fnIn(older, 'deploy', '--allow-older')).exitCode, 0);
    assert.equal(await served(), 'ONE!');
  });

  test('on GitHub Actions writes summary and outputs, and annotates the line of a problem', async () => {
    const summary = join(folder, 'summary.md');
    const output = join(folder, 'output.txt');
    const env = {
      ...remote.env,
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: output,
    };
    assert.equal((await runFn(['deploy'], { cwd: folder, env })).exitCode, 0);
    assert.match(readFileSync(summary, 'utf8'), /Deployed `desk-\d+` to `acme`/);
    assert.match(readFileSync(output, 'utf8'), /^deployment=dpl_\w+\nprevious=\nchanged=true\noutcome=done\n$/);
    writeFiles(folder, { 'functions/api/broken.js': 'export const config = {\n' });
    const { err } = await runFn(['deploy'], { cwd: folder, env });
    assert.match(err, /^::error file=functions\/api\/broken\.js,line=\d+,col=\d+,title=build_failed::/m);
    assert.ok(!(err + readFileSync(summary, 'utf8')).includes(remote.token));
  });

  test('without a login ends with 4 and says what to set', async () => {
    const { exitCode, err } = await runFn(['deploy'], {
      cwd: folder,
      env: { XDG_CONFIG_HOME: join(folder, 'nothing') },
    });
    assert.equal(exitCode, 4);
    assert.match(err, /fn login/);
  });
});

describe('invoke --remote', () => {
  test('runs what is live, named by its last part; nothing of it need be here', async () => {
    await deployed();
    rmSync(join(folder, 'functions'), { recursive: true });
    const { exitCode, out, err } = await fn('invoke', 'greet', '--remote');
    assert.equal(exitCode, 0, err);
    assert.equal(JSON.parse(out).text, 'ONE!');
  });

  test('refuses a last part that two live functions have, and names both', async () => {
    writeFiles(folder, { 'functions/other/greet.js': answering('other') });
    await deployed();
    const { exitCode, err } = await fn('invoke', 'greet', '--remote');
    assert.equal(exitCode, 2);
    assert.match(err, /api\/greet.*other\/greet/);
  });

  test('says which live function was meant', async () => {
    await deployed();
    const { exitCode, err } = await fn('invoke', 'gret', '--remote');
    assert.equal(exitCode, 2);
    assert.match(err, /api\/greet/);
  });
});

describe('rollback', () => {
  test('to a version that is not there says so, changes nothing, and tells where to look', async () => {
    await deployed();
    const { exitCode, err } = await fn('rollback', 'dpl_01AAAAAAAAAAAAAAAAAAAAAAAA', '--yes');
    assert.equal(exitCode, 1);
    assert.match(err, /has no deployment dpl_01A[\s\S]*fn versions/);
    assert.equal(await served(), 'ONE!');
  });
});

describe('diff, status and list', () => {
  test('tell what differs, and --exit-code turns it into 3', async () => {
    await deployed();
    assert.equal((await fn('diff', '--exit-code')).exitCode, 0);
    writeFiles(folder, { 'functions/api/greet.js': answering('two') });
    const { exitCode, out } = await fn('diff', '--exit-code', '--json');
    assert.equal(exitCode, 3);
    assert.equal(JSON.parse(out).changes[0].kind, 'update');
    const status = JSON.parse((await fn('status', '--json')).out);
    assert.match(status.live.id, /^dpl_/);
    assert.equal(status.drift, null);
    assert.equal(JSON.parse((await fn('list', '--remote', '--json')).out).items[0].name, 'api/greet');
  });
});

describe('pull', () => {
  test('brings the author’s own sources back into an empty folder, and they deploy to the same version', async () => {
    writeFiles(folder, {
      'functions/api/size.js': answering('one').replace('shout.js', 'größe [1].js'),
      'lib/größe [1].js': shout,
    });
    const first = await deployed();
    const copy = aFolder({});
    const { exitCode, err } = await fnIn(copy, 'pull');
    assert.equal(exitCode, 10, err);
    assert.equal(read(copy, 'functions/api/greet.js'), read(folder, 'functions/api/greet.js'));
    assert.ok(!existsSync(join(copy, 'lib')), 'below functions/ only');
    for (const path of ['lib/größe [1].js', 'lib/shout.js'])
      writeFiles(copy, { [path]: (await fnIn(copy, 'pull', '--print', path)).out });
    assert.equal(read(copy, 'lib/größe [1].js'), shout);
    assert.equal((await fnIn(copy, 'pull')).exitCode, 0);
    const again = JSON.parse((await fnIn(copy, 'deploy', '--json')).out);
    assert.equal(again.outcome, 'unchanged');
    assert.equal(again.deployment, first.deployment);
  });

  test('finds a style sheet that was not edited the same as here, comments and all', async () => {
    writeFiles(folder, {
      'functions/panel.js':
        "import './panel.css';\nexport const config = { type: 'custom-view', title: 'Panel', placement: 'page' };\nexport default () => {};\n",
      'functions/panel.css': '/* Ours. */\nb   { color:red }\n',
    });
    await deployed();
    assert.equal((await fn('pull')).exitCode, 0);
    const copy = aFolder({ 'lib/shout.js': shout });
    assert.equal((await fnIn(copy, 'pull')).exitCode, 0);
    assert.equal(read(copy, 'functions/panel.css'), read(folder, 'functions/panel.css'));
  });

  test('never loses an edit: it writes nothing, or keeps what it replaces', async () => {
    await deployed();
    const edited = answering('edited here');
    writeFiles(folder, { 'functions/api/greet.js': edited });
    const { out } = await fn('pull', '--dry-run');
    assert.match(out, /Nothing would be written, because 1 of them differs here; --force replaces what differs/);
    assert.match((await fn('pull', '--dry-run', '--force')).out, /1 would be written/);
    assert.equal((await fn('pull')).exitCode, 9);
    assert.equal(read(folder, 'functions/api/greet.js'), edited);
    const { backup } = JSON.parse((await fn('pull', '--force', '--json')).out);
    assert.equal(read(backup, 'functions/api/greet.js'), edited);
    assert.equal(read(folder, 'functions/api/greet.js'), answering('one'));
  });

  test('of one function, named by its last part, writes that one; of one that is not live says so', async () => {
    writeFiles(folder, { 'functions/api/other.js': answering('other') });
    await deployed();
    const copy = aFolder({});
    assert.equal((await fnIn(copy, 'pull', 'greet')).exitCode, 10);
    assert.deepEqual(readdirSync(join(copy, 'functions/api')), ['greet.js']);
    const { exitCode, err } = await fnIn(copy, 'pull', 'gret');
    assert.equal(exitCode, 2);
    assert.match(err, /no function gret[\s\S]*api\/greet/);
  });

  test('does not suggest --force for what is never replaced', async () => {
    await deployed();
    const copy = aFolder({});
    mkdirSync(join(copy, 'functions/api/greet.js'), { recursive: true });
    assert.match((await fnIn(copy, 'pull', '--dry-run', '--force')).out, /1 of them differs here \(/);
    const { exitCode, err } = await fnIn(copy, 'pull', '--force');
    assert.equal(exitCode, 9);
    assert.match(err, /Nothing was written\. Move them/);
  });

  test('does not write through a folder that is a link', async () => {
    await deployed();
    const copy = aFolder({});
    const outside = aFolder({});
    mkdirSync(join(outside, 'functions'));
    symlinkSync(join(outside, 'functions'), join(copy, 'functions'));
    assert.equal((await fnIn(copy, 'pull')).exitCode, 9);
    assert.deepEqual(readdirSync(join(outside, 'functions')), []);
  });
});

describe('logs', () => {
  test('are shown in order, and followed as they are written', async () => {
    await deployed();
    await served();
    const shown = await fn('logs', '--json');
    assert.equal(JSON.parse(shown.out.trim().split('\n').at(-1) ?? '').text, 'answering');
    // Standard output is closed behind the first new line, as `| head` would: following ends there.
    let ended = false;
    const around = { cwd: folder, env: remote.env, closedAfter: Buffer.byteLength(shown.out) + 20 };
    const following = runFn(['logs', '-f', '--json'], around).finally(() => {
      ended = true;
    });
    for (let i = 0; i < 2_000 && !ended; i++) await served();
    const { out, exitCode } = await following;
    assert.equal(exitCode, 0);
    const before = shown.out.trim().split('\n').length;
    assert.ok(out.trim().split('\n').length > before);
  });
});

describe('secrets and variables', () => {
  test('say in which workspace elsewhere they were set and deleted', async () => {
    const run = async (argv: readonly string[], env = remote.env) =>
      (await runFn(argv, { cwd: folder, env, input: 'sk_17' })).out.trim();
    await deployed();
    assert.equal(await run(['secret', 'set', 'KEY', '--stdin']), `Set: KEY of ${app} in acme`);
    assert.equal(await run(['secret', 'delete', 'KEY']), `Deleted: KEY of ${app} in acme`);
    assert.equal(await run(['var', 'set', 'limit', '250']), 'limit = 250 in acme');
    assert.equal(await run(['var', 'delete', 'limit']), `Deleted: limit of ${app} in acme`);
    assert.equal(await run(['var', 'set', 'limit', '250', '--profile', 'local']), 'limit = 250');
  });
});

describe('login', () => {
  test('checks the token, stores it without showing it, and then fn deploy goes there', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    const login = await runFn(['login', `${remote.url}/tenants/acme/conversations`, '--token-stdin', '--json'], {
      cwd: folder,
      env: home,
      input: `${remote.token}\n`,
    });
    assert.equal(login.exitCode, 0, login.err);
    assert.equal(JSON.parse(login.out).slug, 'acme');
    assert.ok(!(login.out + login.err).includes(remote.token));
    assert.equal((await runFn(['deploy'], { cwd: folder, env: home })).exitCode, 0);
    assert.equal(await served(), 'ONE!');
    const who = JSON.parse((await runFn(['whoami', '--json', '--profile', 'acme'], { cwd: folder, env: home })).out);
    assert.equal(who.store, join(folder, 'config', 'fn', 'credentials.json'));
    assert.equal(who.profile, 'acme');
    const out = await runFn(['logout', '--keep-token'], { cwd: folder, env: home });
    assert.match(out.out, /still valid/);
    assert.equal((await runFn(['deploy'], { cwd: folder, env: home })).exitCode, 4);
  });

  test('with a wrong token stores nothing', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    const { exitCode } = await runFn(['login', `${remote.url}/tenants/acme`, '--token-stdin'], {
      cwd: folder,
      env: home,
      input: 'wrong',
    });
    assert.equal(exitCode, 4);
    assert.ok(!existsSync(join(folder, 'config', 'fn', 'credentials.json')));
  });

  test('to an unknown slug says so', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    const { exitCode, err } = await runFn(['login', `${remote.url}/tenants/nobody`, '--token-stdin'], {
      cwd: folder,
      env: home,
      input: remote.token,
    });
    assert.ok(exitCode === 1 || exitCode === 4, String(exitCode));
    assert.match(err, /slug|workspace/);
  });

  test('logging out revokes a token that may do so', async () => {
    const { token } = await remote.local.door()('tokens.create', { name: 'laptop', scopes: ['read', 'admin'] });
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    await runFn(['login', `${remote.url}/tenants/acme`, '--token-stdin'], { cwd: folder, env: home, input: token });
    const { out } = await runFn(['logout'], { cwd: folder, env: home });
    assert.match(out, /revoked/);
    const again = await runFn(['login', `${remote.url}/tenants/acme`, '--token-stdin'], {
      cwd: folder,
      env: home,
      input: token,
    });
    assert.equal(again.exitCode, 4);
  });

  test('a profile’s own route is used for an assumed operation', async () => {
    const home = { XDG_CONFIG_HOME: join(folder, 'config') };
    const on = (...argv: string[]) => runFn(argv, { cwd: folder, env: home, input: remote.token });
    await on('login', `${remote.url}/tenants/acme`, '--token-stdin');
    await on('profile', 'set', 'acme', 'operations.tokens.list.route', 'GET /elsewhere/{slug}/tokens');
    const { exitCode, err } = await on('token', 'list', '--profile', 'acme');
    assert.equal(exitCode, 1);
    assert.match(err, /GET \/elsewhere\/\{slug\}\/tokens/);
    await on('profile', 'set', 'acme', 'operations.tokens.list.route', '');
    assert.equal((await on('token', 'list', '--profile', 'acme')).exitCode, 0);
  });
});
