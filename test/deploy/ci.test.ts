import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { packageFile } from '../../src/std/index.ts';
import { bin } from '../cli/fn-process.ts';
import { deadPort } from '../client/server.ts';
import { anApp, answering, type Elsewhere, elsewhere, read, shout, writeFiles } from './elsewhere.ts';

// The files of docs/ci.md, taken from it as they stand there, run against a workspace elsewhere. `npm ci` has no network here: a stand-in notes that it was
// asked for; `npx fn` is this checkout.

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
  app = `ci-${++count}`;
  folder = anApp(
    {
      'functions/api/greet.js': answering('one'),
      'lib/shout.js': shout,
      'test/shout.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shout } from '../lib/shout.js';
test('shouts', () => assert.equal(shout('a'), 'A!'));
`,
      'bin/npm': '#!/bin/sh\necho "$@" >> npm-calls.txt\n',
      'bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no fn" ] || exit 99\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`,
    },
    app,
  );
  for (const name of ['npm', 'npx']) chmodSync(join(folder, 'bin', name), 0o755);
});

/** A file of docs/ci.md by its name there. */
function fileOf(name: string): string {
  const text = readFileSync(packageFile('docs/ci.md'), 'utf8');
  const found = new RegExp(`^\`\`\`\\w+ file=${RegExp.escape(name)}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1];
  assert.ok(found, `docs/ci.md has ${name}`);
  return found;
}

async function shell(script: string, env: Record<string, string> = {}, flags = ['-e']) {
  const child = spawn('sh', [...flags, '-c', script], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${join(process.execPath, '..')}:${process.env['PATH']}`,
      HOME: folder,
      CI: 'true',
      ...remote.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map(async (stream) =>
    (await stream.setEncoding('utf8').toArray()).join(''),
  );
  const [[exitCode], out = '', err = ''] = await Promise.all([once(child, 'close'), ...texts]);
  assert.ok(!(out + err).includes(remote.token), 'the token is not shown');
  return { exitCode: exitCode as number | null, out, err };
}

async function served(): Promise<unknown> {
  const response = await fetch(`${remote.url}/api/acme/custom-functions/${app}/api/greet.js`, {
    headers: { authorization: `Bearer ${remote.token}` },
  });
  return response.ok ? ((await response.json()) as { text: string }).text : response.status;
}

describe('the workflow for GitHub', () => {
  interface Step {
    readonly run: string;
    readonly if: string | undefined;
  }
  /** The steps that run something, in order. */
  const steps = (): Step[] =>
    fileOf('.github/workflows/deploy.yml')
      .split(/^ {6}- /m)
      .slice(1)
      .flatMap((step) => {
        const run = /^\s*run: (.+)$/m.exec(step)?.[1];
        return run === undefined ? [] : [{ run, if: /^\s*if: (.+)$/m.exec(step)?.[1] }];
      });
  const job = async (event: 'push' | 'pull_request') => {
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: event,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      GITHUB_OUTPUT: join(folder, 'output.txt'),
      MESSAGE: 'a "message"; with $(signs)',
    };
    const ran: string[] = [];
    for (const step of steps()) {
      if (step.if !== undefined && !step.if.includes(`github.event_name == '${event}'`)) continue;
      ran.push(step.run);
      const { exitCode, out, err } = await shell(step.run, env);
      assert.equal(exitCode, 0, `${step.run}: ${out}${err}`);
    }
    return ran;
  };

  test('deploys a push, with summary and outputs', async () => {
    assert.deepEqual(await job('push'), ['npm ci', 'npx --no fn test', 'npx --no fn deploy --message "$MESSAGE"']);
    assert.equal(read(folder, 'npm-calls.txt'), 'ci\n');
    assert.equal(await served(), 'ONE!');
    assert.match(read(folder, 'summary.md'), /Deployed/);
    assert.match(read(folder, 'output.txt'), /^changed=true$/m);
    const live = await remote.local.door()('deployments.show', { app, id: 'live' });
    assert.equal(live.message, 'a "message"; with $(signs)');
  });

  test('shows the plan of a pull request and changes nothing', async () => {
    assert.deepEqual(await job('pull_request'), ['npm ci', 'npx --no fn test', 'npx --no fn deploy --dry-run']);
    assert.equal(await served(), 404);
    assert.match(read(folder, 'summary.md'), /api\/greet\.js/);
  });
});

describe('the pipeline for GitLab', () => {
  /** The lines below `key:` of a job, or of `default`. */
  const lines = (job: string, key: string): string[] => {
    const block = new RegExp(`^${job}:\\n((?:^ .*\\n|^\\n)+)`, 'm').exec(fileOf('.gitlab-ci.yml'))?.[1] ?? '';
    const list = new RegExp(`^ {2}${key}:\\n((?:^ {4}- .*\\n)+)`, 'm').exec(block)?.[1] ?? '';
    return list.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^ {4}- /, '')]));
  };

  test('tests, deploys and leaves the report as an artefact', async () => {
    const script = ['test', 'deploy'].flatMap((job) => [...lines('default', 'before_script'), ...lines(job, 'script')]);
    assert.equal(script.length, 4, script.join('\n'));
    for (const line of script) {
      const { exitCode, out, err } = await shell(line, { GITLAB_CI: 'true', CI_COMMIT_TITLE: "it's done" });
      assert.equal(exitCode, 0, `${line}: ${out}${err}`);
    }
    assert.equal(await served(), 'ONE!');
    assert.equal(JSON.parse(read(folder, 'deploy.json')).outcome, 'done');
  });
});

describe('the plain shell script', () => {
  const script = (env: Record<string, string> = {}) => {
    writeFiles(folder, { 'deploy.sh': fileOf('deploy.sh') });
    return shell('exec sh ./deploy.sh', { FN_RETRY_SECONDS: '0', ...env });
  };

  test('deploys and names the deployment', async () => {
    const { exitCode, out, err } = await script();
    assert.equal(exitCode, 0, err);
    assert.match(out, /^deployed: dpl_\w+$/m);
    assert.equal(await served(), 'ONE!');
  });

  test('tries five times where nothing listens, and ends with 7', async () => {
    const { exitCode, err } = await script({ FN_BASE_URL: `http://127.0.0.1:${deadPort}` });
    assert.equal(exitCode, 7);
    assert.equal(err.match(/nothing is listening/g)?.length, 5, err);
  });

  test('does not try again with source that does not build', async () => {
    writeFiles(folder, { 'functions/api/broken.js': 'export const config = {\n' });
    const { exitCode, err } = await script();
    assert.equal(exitCode, 2);
    assert.equal(err.match(/broken\.js:\d+:\d+/g)?.length, 1, err);
    assert.equal(await served(), 404);
    assert.ok(existsSync(join(folder, 'deploy.json')));
  });
});
