import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrText } from '../../../src/cli/terminal/qr.ts';

const link = 'https://app.example.com/tenants/acme/conversations/cnv_01JD3VQ8XW0000000000000000';
const drawn = (length: number) => qrText(link.padEnd(length, 'x7').slice(0, length)) ?? '';
const border = 2;

/** The dark cells, without the border. */
function cellsOf(text: string): boolean[][] {
  const lines = text.split('\n');
  const size = (lines[0]?.length ?? 0) - 2 * border;
  const isDark = (x: number, y: number) => {
    const char = lines[Math.floor(y / 2)]?.[x] ?? '';
    return y % 2 === 0 ? !'█▀'.includes(char) : !'█▄'.includes(char);
  };
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => isDark(x + border, y + border)));
}

const hashOf = (cells: readonly boolean[][]) =>
  createHash('sha256')
    .update(cells.map((row) => row.map(Number).join('')).join('\n'))
    .digest('hex')
    .slice(0, 16);

test('a code is what an independent decoder (jsQR 1.4.0) has read back as the same text', () => {
  const versions = [53, 858].map((length) => cellsOf(drawn(length)));
  assert.deepEqual(
    versions.map((cells) => [(cells.length - 17) / 4, hashOf(cells)]),
    [
      [3, '8c449598f1635741'],
      [20, '009b1aefb62ca97a'],
    ],
  );
});

test('a code has its quiet zone around it and as many columns as cells', () => {
  const lines = drawn(link.length).split('\n');
  assert.ok(lines.every((line) => line.length === lines[0]?.length));
  assert.match(lines[0] ?? '', /^█+$/);
  assert.ok(lines.every((line) => line.startsWith('██') || line.startsWith('▀▀')));
});

test('a text that fits no code has none', () => {
  assert.equal(qrText('x'.repeat(2_954)), undefined);
});
