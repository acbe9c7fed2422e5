import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harnesses } from './harnesses.ts';
import { hasStrace, watchRun } from './watched.ts';

const asked = process.env['FN_TEST_WATCHED'] === '1' && hasStrace();

/** The Claude Agent SDK, which starts a program, has a test of its own. */
const kinds = harnesses.filter(({ title }) => !/the scripted model|lowest version|Claude Agent SDK/.test(title));

for (const kind of kinds) {
  const skip = kind.missing ?? (asked ? false : 'npm run test:watched, with strace');
  test(`watched by the system, ${kind.title} reaches one address, starts no program, and reads nothing of the user`, {
    skip,
  }, async () => {
    await using open = await kind.open();
    assert.ok(open.server);
    const { status, programs, connections, opened } = await watchRun(open.harness, 'Where is order A17?');
    assert.equal(status, 'completed');
    assert.equal(programs.length, 1, programs.slice(1).join('\n').slice(0, 2_000));
    const { port } = new URL(open.server.url);
    const elsewhere = connections.filter((line) => !line.includes(`htons(${port})`) || !line.includes('"127.0.0.1"'));
    assert.deepEqual([connections.length > 0, elsewhere], [true, []]);
    assert.deepEqual(opened, []);
    // A module of the app has the user's variables: that is where its keys come from.
    if (open.harness.kind !== 'agent-framework') {
      assert.doesNotMatch(JSON.stringify(open.server.requests), /of-the-user/);
    }
  });
}
