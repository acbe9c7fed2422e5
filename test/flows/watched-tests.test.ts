import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../until.ts';
import { App, aMethod } from './app.ts';

test('fn test -- --watch runs the tests again when a function is saved, or a file that it imports', async () => {
  const app = new App({
    'functions/price.js': `import { factor } from '../lib/factor.js';\n${aMethod('21 * factor')}`,
    'lib/factor.js': 'export const factor = 1;\n',
    'test/price.test.js': `import { test } from 'node:test';
import { invoke } from 'convo-fn/testing';
test('the price', async () => console.log('the price is', await invoke('price', {})));\n`,
  });
  const runner = app.spawn(['test', '--', '--watch', '--test-reporter=tap']);
  const ended = once(runner, 'close');
  let out = '';
  runner.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const told = (price: number) => until(`the price is ${price}`, () => out.includes(`the price is ${price}\n`));
  /** Again and again: Node tells nobody from when on it watches a file. */
  const toldAfter = async (price: number, save: () => void) => {
    save();
    const saving = setInterval(save, 3_000);
    await told(price).finally(() => clearInterval(saving));
  };
  try {
    await told(21);
    await toldAfter(42, () => app.write('lib/factor.js', 'export const factor = 2;\n'));
    await toldAfter(7, () => app.write('functions/price.js', aMethod('7')));
  } finally {
    runner.kill('SIGINT');
  }
  assert.deepEqual(await ended, [130, null]);
});
