import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { json, type Weather, weather } from './server.ts';

const token = 'fn_secret_token_of_the_test';
let server: Weather;
before(async () => {
  server = await weather((_, response) => json(response, 200, {}));
});
after(() => server.close());

for (const [file, transport] of [
  ['light', 'lightTransport()'],
  ['pooled', 'pooledTransport(deadlines)'],
]) {
  test(`the token does not appear in Node's network debug output: ${file} transport`, async () => {
    const name = transport?.split('(')[0];
    const program = `
      import { ${name} } from ${JSON.stringify(new URL(`../../src/client/${file}.ts`, import.meta.url).href)};
      const deadlines = { connectMs: 5000, firstByteMs: 5000, totalMs: 20000 };
      const transport = ${transport};
      const headers = { authorization: 'Bearer ${token}' };
      const answer = await transport.open({ url: ${JSON.stringify(server.url)}, method: 'POST', headers, body: 'x' }, { deadlines });
      for await (const _ of answer.body);
      await transport.close();
    `;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, NODE_DEBUG: 'net,http,https,tls,stream,undici,fetch' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const [request] = server.arrived.splice(0);
    assert.equal(request?.headers.authorization, `Bearer ${token}`);
    assert.equal(request?.body, 'x');
    assert.match(stderr, /NET \d+/);
    assert.ok(
      !stderr.includes(token),
      stderr.split('\n').find((line) => line.includes(token)),
    );
  });
}
