import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { uploadBytes } from '../../src/client/upload.ts';

/** What an upload is told by a server that refuses it so. */
async function refusalOf(type: string, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(415, { 'content-type': type }).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media`;
  try {
    await uploadBytes({ url, from: url, headers: {}, bytes: new Uint8Array(3), env: {} });
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  } finally {
    server.close();
  }
}

test('a refused upload says the detail of the problem', async () => {
  const problem = JSON.stringify({ code: 'media_type_unsupported', detail: 'The file is no PNG' });
  assert.match(await refusalOf('application/problem+json', problem), /refused the upload \(415\): The file is no PNG$/);
});

test('a refusal that is no problem is shown as it came', async () => {
  assert.match(await refusalOf('text/plain', 'not here'), /\(415\): not here$/);
});

test('a workspace elsewhere cannot have a file uploaded to a program on this machine', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const host of ['127.0.0.1', 'localhost', '127.1', '2130706433']) {
      const order = { url: `http://${host}:${port}/`, from: 'https://acme.example', headers: {}, env: {} };
      await assert.rejects(uploadBytes({ ...order, bytes: new Uint8Array(3) }), { code: 'upload_insecure' }, host);
    }
    assert.equal(asked, 0);
  } finally {
    server.close();
  }
});

test('an upload to what is no address is not made', async () => {
  const order = {
    url: 'somewhere',
    from: 'https://acme.example',
    headers: {},
    bytes: new Uint8Array(3),
    env: {},
  };
  await assert.rejects(uploadBytes(order), {
    code: 'upload_address_invalid',
    message: 'The workspace wants the upload at "somewhere", which is not an address; nothing was uploaded',
  });
});
