import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorLink, editors, isEditor } from '../../src/console/model/editor.ts';

const root = '/home/ann/my shop';

test('a place in a file of the app is a link that the editor understands', () => {
  const place = { file: 'functions/tools/refund.ts', line: 12, column: 3 };
  assert.equal(editorLink('vscode', root, place), 'vscode://file/home/ann/my%20shop/functions/tools/refund.ts:12:3');
  assert.equal(editorLink('zed', root, place), 'zed://file/home/ann/my%20shop/functions/tools/refund.ts:12:3');
  assert.equal(
    editorLink('webstorm', root, place),
    'webstorm://open?file=/home/ann/my%20shop/functions/tools/refund.ts&line=12&column=3',
  );
  assert.equal(editorLink('cursor', root, { file: 'a.js' }), 'cursor://file/home/ann/my%20shop/a.js');
  assert.equal(
    editorLink('cursor', root, { file: 'a.js', line: null, column: 4 }),
    editorLink('cursor', root, { file: 'a.js' }),
  );
  assert.equal(editorLink('vscode', 'C:\\Users\\ann', { file: 'a.js', line: 1 }), 'vscode://file/C:/Users/ann/a.js:1');
});

test('nothing but a path below the app’s folder becomes a link', () => {
  const outside = [
    '',
    '/etc/passwd',
    '../secrets.js',
    'functions/../../secrets.js',
    './a.js',
    'functions//a.js',
    'node:internal/process/task_queues',
    'https://example.com/a.js',
    'C:/Windows/a.js',
    '..\\..\\a.js',
    'functions\\a.js',
    'a\n.js',
    'a\u0000.js',
  ];
  for (const file of outside) assert.equal(editorLink('vscode', root, { file, line: 1, column: 1 }), undefined, file);
});

test('a name cannot end the path, nor say another line or another program', () => {
  const link = editorLink('webstorm', root, { file: 'a&line=9#x?y %2e%2e.js', line: 1 });
  assert.equal(link, 'webstorm://open?file=/home/ann/my%20shop/a%26line%3D9%23x%3Fy%20%252e%252e.js&line=1');
  for (const line of [-1, 0, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(
      editorLink('vscode', root, { file: 'a.js', line }),
      'vscode://file/home/ann/my%20shop/a.js',
      String(line),
    );
  assert.ok(Object.keys(editors).every(isEditor));
  assert.ok(!isEditor('toString') && !isEditor('javascript'));
});
