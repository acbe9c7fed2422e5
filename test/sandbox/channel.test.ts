import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Duplex, duplexPair } from 'node:stream';
import test from 'node:test';
import { Channel } from '../../src/sandbox/channel.ts';

interface Said {
  t: string;
  json?: string;
  code?: string;
  bytes?: Uint8Array;
}

/** @param cut how the bytes on their way are divided */
function aPair(cut: (bytes: Buffer) => Buffer[] = (bytes) => [bytes]) {
  const [here, between] = duplexPair();
  const heard: Said[] = [];
  const { promise: broken, resolve } = Promise.withResolvers<string>();
  const [far, there] = duplexPair();
  between.on('data', (bytes: Buffer) => {
    for (const part of cut(bytes)) far.write(part);
  });
  const sender = new Channel<Said, Said>(here, () => {}, resolve);
  const all = (count: number) =>
    new Promise<Said[]>((done) => {
      new Channel<Said, Said>(
        there,
        (messages) => {
          heard.push(...messages);
          if (heard.length === count) done(heard);
        },
        resolve,
      );
    });
  return { sender, all, broken };
}

test('a frame that is kept keeps no more memory than its own', async () => {
  const lengths: [number, number][] = [];
  const { sender, all } = aPair((bytes) => {
    lengths.push([bytes.byteLength, bytes.buffer.byteLength]);
    return [bytes];
  });
  const heard = all(1);
  sender.post({ t: 'small' });
  await heard;
  for (const [own, kept] of lengths) assert.equal(kept, own);
});

const parts: Record<string, (bytes: Buffer) => Buffer[]> = {
  'as they come': (bytes) => [bytes],
  'byte by byte': (bytes) => Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)),
  'in unequal parts': (bytes) => {
    const list: Buffer[] = [];
    for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 1_009)
      list.push(bytes.subarray(at, at + size));
    return list;
  },
};

for (const [title, cut] of Object.entries(parts)) {
  test(`messages with long texts and bytes arrive whole and in order, ${title}`, async () => {
    const { sender, all } = aPair(cut);
    const said: Said[] = [
      { t: 'small', json: '"ü"' },
      { t: 'text', json: JSON.stringify('€ù"\\\n'.repeat(3_000)) },
      { t: 'bytes', bytes: randomBytes(10_000) },
      { t: 'both', json: JSON.stringify('x'.repeat(5_000)), bytes: new Uint8Array(0) },
      { t: 'code', code: `'${'€ù"\\\n'.repeat(3_000)}'` },
      { t: 'no text in UTF-8', code: `'${'\ud800'.repeat(5_000)}'` },
      { t: 'last' },
    ];
    const heard = all(said.length);
    for (const [i, message] of said.entries()) {
      sender.post(message);
      if (i === 2) await new Promise(setImmediate);
    }
    assert.deepEqual(
      (await heard).map((message) => ({ ...message, ...(message.bytes && { bytes: [...message.bytes] }) })),
      said.map((message) => ({ ...message, ...(message.bytes && { bytes: [...message.bytes] }) })),
    );
  });
}

function frame(head: string, total = 8 + Buffer.byteLength(head), headBytes = Buffer.byteLength(head)): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(total, 0);
  prefix.writeUInt32LE(headBytes, 4);
  return Buffer.concat([prefix, Buffer.from(head)]);
}

const hostile: Record<string, Buffer> = {
  'a frame of four gigabytes': frame('[]', 0xffffffff),
  'a frame without room for its own prefix': frame('', 3),
  'a head longer than its frame': frame('[]', 10, 100),
  'a head that is no JSON': frame('[}'),
  'a head that is nothing': frame('null'),
  'an attachment longer than its frame': frame('{"messages":[{"t":"x"}],"attached":[[0,"bytes",1000]]}'),
  'an attachment of negative length': frame('{"messages":[{"t":"x"}],"attached":[[0,"bytes",-8]]}'),
  'an attachment to no message': frame('{"messages":[],"attached":[[5,"bytes",0]]}'),
  'an attachment to a prototype': frame('{"messages":[{}],"attached":[[0,"__proto__",0]]}'),
};

for (const [title, bytes] of Object.entries(hostile)) {
  test(`${title} ends the channel`, async () => {
    const [here, there]: [Duplex, Duplex] = duplexPair();
    const { promise: broken, resolve } = Promise.withResolvers<string>();
    const heard: Said[] = [];
    new Channel<Said, Said>(here, (messages) => heard.push(...messages), resolve);
    there.write(bytes);
    await broken;
    assert.deepEqual([heard, here.destroyed], [[], true]);
  });
}
