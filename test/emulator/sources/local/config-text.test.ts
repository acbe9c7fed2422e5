import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHaveField } from '../../../../src/emulator/sources/local/config-text.ts';

const method = (config: string, more = '') => `export const config = ${config};\n${more}export default () => 1;\n`;

for (const [text, expected] of [
  [method(`{ type: 'server-side-method' }`), false],
  [method(`{ type: 'server-side-method', expose: { methods: ['GET'], auth: 'token' } }`), false],
  [method(`{ type: 'ai-tool', input: { pattern: '^\\\\{.*' } } satisfies AiTool`), false],
  [`/** the config of it */\n${method(`{ type: 'server-side-method' /* it's … {all} */ }`)}`, false],
  [`export const config: ServerSideMethod = { type: 'server-side-method' };\nexport default () => ({ ...[] });`, false],
  [method(`{ type: 'server-side-method', events: subscribed }`), true],
  [method(`{ type: 'server-side-method', ...shared }`), true],
  [method(`{ a: /'/, ...shared, b: 'x' }`), true],
  [method(`{ type: 'server-side-method', [field]: ['message.received'] }`), true],
  [method(`{ type: 'server-side-method', 'ev\\u0065nts': ['message.received'] }`), true],
  [method(`{ type: 'server-side-method' }`, 'Object.assign(config, shared);\n'), true],
  [method('shared'), true],
  [method('define({})'), true],
  [`export { config } from './shared.js';\nexport default () => 1;\n`, true],
  [`const config = {};\nexport { config };\nexport default () => 1;\n`, true],
  [`export const config = { type: 'server-side-method'`, true],
  ['', true],
] as const) {
  test(`the config in ${JSON.stringify(text)} ${expected ? 'may have' : 'has no'} events`, () => {
    assert.equal(mayHaveField(text, 'events'), expected);
  });
}
