import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { App, aMethod, type Dev } from './app.ts';

/** A package that is what it says, and throws outside of any call. */
const packageThat = (throws: string) => `
exports.OpenAI = class {
  constructor() {
    ${throws}
    const hangs = (...given) =>
      new Promise((_, reject) => given.at(-1)?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    this.beta = { agents: { list: hangs, sessions: { create: hangs, events: {} } } };
  }
};
`;

suite('a package of an app that throws outside of any call', () => {
  let app: App;
  let dev: Dev;
  before(async () => {
    const model = { main: 'gpt-5-mini' };
    app = new App({
      'functions/greet.js': aMethod("'hi'"),
      'agents/nora.json': JSON.stringify({ instructions: 'Help.', harness: 'hosted' }),
      'seed.json': JSON.stringify({
        harnesses: [{ name: 'hosted', kind: 'openai-agents-api', models: model, baseUrl: 'http://127.0.0.1:9/v1' }],
      }),
      'node_modules/openai/package.json': '{"name": "openai", "version": "7.57.0", "main": "index.js"}',
      'node_modules/openai/index.js': packageThat(`
        const way = process.getBuiltinModule('node:fs').readFileSync(${JSON.stringify('WAY')}, 'utf8').trim();
        if (way === 'promise') void Promise.reject(new Error('boom in a promise'));
        else setTimeout(() => { throw new Error('boom in a timer'); }, 5);
      `),
      WAY: 'promise',
    });
    app.write(
      'node_modules/openai/index.js',
      app.read('node_modules/openai/index.js').replace('"WAY"', JSON.stringify(app.path('WAY'))),
    );
    await app.fn(['trust']);
    dev = await app.dev();
  });
  after(() => dev.stop());

  for (const way of ['promise', 'timer']) {
    test(`in a ${way} fails the run and the check by name, and fn dev goes on`, async () => {
      app.write('WAY', way);
      const run = await app.fn(['agent-run', 'create', '--agent', 'nora', '--wait', '--json', '--input', 'hello']);
      assert.match(run.out + run.err, new RegExp(`harness_package_broken.*boom in a ${way}`, 's'));
      const check = await app.fn(['harness', 'check', 'hosted', '--json']);
      assert.equal(JSON.parse(check.out).problems[0].code, 'harness_package_broken');
      assert.equal((await dev.get('greet')).body, 'hi');
    });
  }
});
