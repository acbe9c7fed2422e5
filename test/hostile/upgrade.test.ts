import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'node:test';
import { anEmulator, method, token } from '../emulator/an-emulator.ts';
import { watchForCrashes } from './crashes.ts';

const { url } = await anEmulator({
  functions: { 'api/echo': method('return await sdk.request.json();', ['POST']) },
});
const { host, port } = new URL(url);
const crashes = watchForCrashes();

const offers = {
  'HTTP/2, as Java’s client does': ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
  'TLS, as Apache’s client does': ['Connection: Upgrade', 'Upgrade: TLS/1.2'],
  'whatever there is': ['Connection: keep-alive, upgrade', 'Upgrade: TLS/1.0, HTTP/2.0, other'],
};

/** The next answer on a connection; each of them says how long it is. */
async function answerOn(socket: Socket): Promise<string> {
  for (let text = ''; ; ) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n') + 4;
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (end > 3 && text.length >= end + Number(length)) return text;
  }
}

for (const [what, offer] of Object.entries(offers)) {
  test(`who offers ${what}, is answered in HTTP/1.1, and the connection goes on`, async () => {
    const socket = connect(Number(port), '127.0.0.1');
    try {
      const ask = (line: string, headers: readonly string[], body = '') => {
        const always = [`Host: ${host}`, `Authorization: Bearer ${token}`, ...offer];
        socket.write(`${[`${line} HTTP/1.1`, ...always, ...headers].join('\r\n')}\r\n\r\n${body}`);
        return answerOn(socket);
      };
      assert.match(await ask('GET /api/dev/workspace', []), /^HTTP\/1\.1 200 [\s\S]*"slug":"dev"/);
      const post = 'POST /api/dev/custom-functions/shop/api/echo.js';
      const body = '{"order":"A-17"}';
      assert.match(await ask(post, [`Content-Length: ${body.length}`], body), /^HTTP\/1\.1 200 [\s\S]*"A-17"/);
      const chunks = `10\r\n${body}\r\n0\r\n\r\n`;
      assert.match(await ask(post, ['Transfer-Encoding: chunked'], chunks), /^HTTP\/1\.1 200 [\s\S]*"A-17"/);
      assert.match(await ask('GET /api/dev/workspace', ['Origin: https://evil.example']), /^HTTP\/1\.1 403 /);
    } finally {
      socket.destroy();
    }
    assert.deepEqual(crashes, []);
  });
}
