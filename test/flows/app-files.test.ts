import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { App, type Dev } from './app.ts';

const tool = `export const config = {
  type: 'ai-tool', name: 'order_status', description: 'Status of an order',
  input: { type: 'object' }, permissions: { callers: { aiAgents: 'all' } },
};
export default () => 1;`;
const node = `export const config = { type: 'custom-flow-node', title: 'Look', outcomes: ['found', 'none'] };
export default () => ({ outcome: 'found' });`;

const flow = (name: string, outcomes: object) =>
  JSON.stringify(
    {
      nodes: {
        t: { type: 'trigger', on: 'message.received', next: 'look' },
        look: { type: 'custom-flow-node', function: name, outcomes },
        a: { type: 'ai-agent', agent: 'nora', next: 'e' },
        e: { type: 'end' },
      },
    },
    null,
    2,
  );
const agent = (more: object) => JSON.stringify({ instructions: 'Help.', ...more }, null, 2);

const good = {
  'functions/tools/order-status.js': tool,
  'functions/flow-nodes/look.js': node,
  'agents/nora.json': agent({ tools: ['order_status', 'of_another_app'] }),
  'flows/support.json': flow('flow-nodes/look', { found: 'a', none: 'e' }),
};

suite('AI agents and flows of an app', () => {
  let dev: Dev | undefined;
  after(() => dev?.stop());

  test('fn build and fn doctor find nothing wrong with good ones, nor with names of other apps', async () => {
    const app = new App(good);
    const build = await app.fn(['build']);
    assert.deepEqual([build.exitCode, build.err], [0, '']);
    const doctor = await app.fn(['doctor']);
    assert.match(doctor.out, /^ok +app files +2 AI agents and flows are valid$/m);
  });

  test('fn build says what is wrong with each, where, and what was meant; the functions are built', async () => {
    const app = new App({
      ...good,
      'agents/nora.json': agent({ tools: ['order_staus'] }),
      'agents/otto.json': agent({ tols: [] }),
      'flows/support.json': flow('flow-nodes/lok', { found: 'a', none: 'e' }),
      'flows/other.json': flow('flow-nodes/look', { found: 'b' }),
    });
    const { exitCode, out, err } = await app.fn(['build']);
    assert.equal(exitCode, 2);
    assert.equal(out.trim().split('\n').length, 2);
    const errors = err
      .split(/^error /m)
      .slice(1)
      .sort();
    const says = [
      /^agents\/nora\.json: tools\[0\] names the AI Tool order_staus; did you mean order_status\?\n {2}agents\/nora\.json:4:5\n/,
      /^agents\/otto\.json: .*tols/,
      /^flows\/other\.json: nodes\.look\.outcomes\.found .*b/,
      /^flows\/support\.json: nodes\.look\.function names the Custom Flow Node flow-nodes\/lok, which does not exist; did you mean flow-nodes\/look\?\n {2}flows\/support\.json:10:7\n/,
    ];
    assert.equal(errors.length, says.length, err);
    for (const [index, one] of says.entries()) assert.match(errors[index] ?? '', one);
    const json = JSON.parse((await app.fn(['build', '--json'])).out);
    const failed = json.failed.map(({ name }: { name: string }) => name).sort();
    assert.deepEqual(failed, ['agents/nora.json', 'agents/otto.json', 'flows/other.json', 'flows/support.json']);
    const named = await app.fn(['build', 'tools/order-status']);
    assert.equal(named.exitCode, 0, 'functions that are named are built alone');
  });

  test('fn doctor finds what needs no function to be built', async () => {
    const app = new App({ ...good, 'agents/otto.json': agent({ tols: [] }) });
    const { exitCode, out } = await app.fn(['doctor']);
    assert.equal(exitCode, 3);
    assert.match(out, /^wrong +app files +agents\/otto\.json: .*tols.*\(line 3\)$/m);
  });

  test('fn dev says it when a file is saved', async () => {
    const app = new App(good);
    dev = await app.dev();
    const saved = async (path: string, text: string, says: RegExp) => {
      const since = dev?.lines.length ?? 0;
      app.write(path, text);
      await dev?.event(({ type, message }) => type === 'problem' && says.test(String(message)), since);
    };
    await saved(
      'agents/nora.json',
      agent({ tools: ['order_staus'] }),
      /^agents\/nora\.json: tools\[0\] .*did you mean order_status\?/,
    );
    await saved('agents/nora.json', agent({ tols: [] }), /^agents\/nora\.json: .*tols.*line 3/);
    await saved('flows/support.json', flow('flow-nodes/lok', {}), /^flows\/support\.json is not live/);
  });
});
