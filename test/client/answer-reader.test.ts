import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AnswerReader, BrokenAnswer } from '../../src/client/answer-reader.ts';

interface Read {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
  ended: boolean;
}

/** Reads an answer that arrives in the given pieces; `closes`: the connection ends after them. */
function read(pieces: readonly string[], { closes = false, toHead = false } = {}): Read {
  const got: Read = { body: '', ended: false };
  const reader = new AnswerReader(
    {
      head: ({ status, headers }) => Object.assign(got, { status, headers: { ...headers } }),
      body: (piece) => {
        got.body += Buffer.from(piece).toString('latin1');
      },
      end: () => {
        got.ended = true;
      },
    },
    toHead,
  );
  for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'));
  if (closes) reader.ended();
  return got;
}

/** A text cut at any places. */
const inPieces = (text: string) =>
  fc
    .uniqueArray(fc.nat(text.length), { maxLength: 8 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), text.length])
    .map((at) => at.slice(1).map((end, i) => text.slice(at[i], end)));

describe('an answer is read however it arrives', () => {
  const counted = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello\r\n\r\nyou!';
  const chunked =
    'HTTP/1.1 200 \r\ntransfer-encoding: Chunked\r\n\r\n5;why="not"\r\nhello\r\n00B\r\n, wonderful\r\n0\r\nx-late: 1\r\n\r\n';
  const interim = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${counted}`;
  const open = 'HTTP/1.0 201 Created\r\nset-cookie: a\r\nset-cookie: b\r\netag: "1"\r\netag: "2"\r\n\r\nall there is';

  test('counted', () => {
    fc.assert(
      fc.property(inPieces(counted), (pieces) => {
        const headers = { 'content-type': 'text/plain', 'content-length': '11' };
        assert.deepEqual(read(pieces), { status: 200, headers, body: 'hello\r\n\r\nyo', ended: true });
      }),
    );
  });

  test('in chunks, with an extension and a trailer', () => {
    fc.assert(
      fc.property(inPieces(chunked), (pieces) => {
        assert.deepEqual(read(pieces), {
          status: 200,
          headers: { 'transfer-encoding': 'Chunked' },
          body: 'hello, wonderful',
          ended: true,
        });
      }),
    );
  });

  test('after interim ones', () => {
    fc.assert(
      fc.property(inPieces(interim), (pieces) => {
        const { status, ended } = read(pieces);
        assert.deepEqual({ status, ended }, { status: 200, ended: true });
      }),
    );
  });

  test('until its connection ends; a header said twice is joined, or counts once', () => {
    fc.assert(
      fc.property(inPieces(open), (pieces) => {
        assert.deepEqual(read(pieces, { closes: true }), {
          status: 201,
          headers: { 'set-cookie': 'a, b', etag: '"1"' },
          body: 'all there is',
          ended: true,
        });
        assert.equal(read(pieces).ended, false);
      }),
    );
  });
});

test('an answer without a body ends with its head', () => {
  for (const head of ['HTTP/1.1 204 No Content', 'HTTP/1.1 304 Not Modified', 'HTTP/1.1 200 OK\r\ncontent-length: 0'])
    assert.equal(read([`${head}\r\n\r\n`]).ended, true);
  assert.equal(read(['HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n'], { toHead: true }).ended, true);
});

test('an answer whose connection ends too early has not ended', () => {
  const early = [
    '',
    'HTTP/1.1 200 OK\r\ncontent-le',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
  ];
  for (const text of early) assert.equal(read([text], { closes: true }).ended, false, text);
});

describe('what could be read in two ways is broken:', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const broken: Record<string, string> = {
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
    'another version': 'HTTP/2 200\r\n\r\n',
    'no status': 'HTTP/1.1 OK\r\n\r\n',
    'a switch of protocols': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
    'a header without a name': `${ok}: x\r\n\r\n`,
    'a space before the colon': `${ok}content-length : 1\r\n\r\n`,
    'a folded header': `${ok}a: b\r\n c\r\n\r\n`,
    'a line feed alone': `${ok}a: b\nc: d\r\n\r\n`,
    'a length that is none': `${ok}content-length: -1\r\n\r\n`,
    'two lengths': `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    'a length and chunks': `${ok}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    'another coding': `${ok}transfer-encoding: gzip, chunked\r\n\r\n`,
    'a chunk without a size': `${ok}transfer-encoding: chunked\r\n\r\nhello\r\n`,
    'a chunk longer than it says': `${ok}transfer-encoding: chunked\r\n\r\n2\r\nhello\r\n`,
    'a size without an end': `${ok}transfer-encoding: chunked\r\n\r\n${'0'.repeat(300)}`,
    'a head without an end': `${ok}${'a: b\r\n'.repeat(4_000)}`,
  };
  for (const [what, text] of Object.entries(broken))
    test(what, () => {
      assert.throws(() => read([text]), BrokenAnswer);
    });
});
