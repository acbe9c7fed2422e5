import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrCells, qrText } from '../../../src/cli/terminal/qr.ts';

const link = 'https://app.example.com/tenants/acme/conversations/cnv_01JD3VQ8XW0000000000000000';
const hashOf = (cells: readonly boolean[][]) =>
  createHash('sha256')
    .update(cells.map((row) => row.map(Number).join('')).join('\n'))
    .digest('hex')
    .slice(0, 16);

test('a code is what an independent decoder (jsQR 1.4.0) has read back as the same text', () => {
  const versions = [17, 53, 106, 230, 858].map((length) => qrCells(link.padEnd(length, 'x7').slice(0, length)));
  assert.deepEqual(
    versions.map((cells) => [(cells.length - 17) / 4, hashOf(cells)]),
    [
      [1, '8476b6001186121a'],
      [3, '8c449598f1635741'],
      [5, '7b1153558b51b351'],
      [9, '9c8a6ec1788395be'],
      [20, '009b1aefb62ca97a'],
    ],
  );
});

test('a code has its quiet zone around it and as many columns as cells', () => {
  const lines = qrText(link).split('\n');
  const size = qrCells(link).length + 4;
  assert.ok(lines.every((line) => line.length === size));
  assert.match(lines[0] ?? '', /^█+$/);
});

test('a text that fits no code is refused', () => {
  assert.throws(() => qrCells('x'.repeat(859)), RangeError);
});
