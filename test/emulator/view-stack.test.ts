import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapViewStack, placeInView } from '../../src/emulator/pages/view-stack.ts';

// Column 1 of the program's line 1 is line 5, column 3 of panel.ts.
const mapOf = (file: string) => JSON.stringify({ version: 3, sources: [file], names: [], mappings: 'AAIE' });
const map = mapOf('functions/panel.ts');

test('a stack of a view names the places of its sources, and leaves out those of the page', () => {
  const stack = 'Error: boom\n    at draw (http://127.0.0.1:4400/views/a/b/frame:10:1)\n    at http://x/frame:9:1';
  assert.equal(mapViewStack(stack, map, 10), 'Error: boom\n    at draw (functions/panel.ts:5:3)');
  assert.equal(
    mapViewStack(stack, mapOf('functions/gr%C3%B6%C3%9Fe.ts'), 10),
    'Error: boom\n    at draw (functions/größe.ts:5:3)',
  );
  assert.equal(mapViewStack(stack, undefined, 10), stack);
});

test('stacks of Firefox and Safari look like any other', () => {
  const stack =
    'draw@http://127.0.0.1:4400/views/a/b/frame:10:1\n@http://127.0.0.1:4400/views/a/b/frame:10:1\n@http://x/frame:9:1\n';
  assert.equal(mapViewStack(stack, map, 10), '    at draw (functions/panel.ts:5:3)\n    at functions/panel.ts:5:3');
});

test('a line that is too long for a frame is none: to look through it for addresses would take long', () => {
  const line = `${'http://'.repeat(300)}:10:1`;
  assert.equal(mapViewStack(`Error: boom\n${line}`, map, 10), `Error: boom\n${line}`);
});

test('a view that fails again and again does not have its large source map read each time', () => {
  const map = JSON.stringify({ version: 3, sources: ['functions/v.js'], names: [], mappings: 'AAAA;'.repeat(300_000) });
  for (let times = 0; times < 10_000; times++)
    assert.equal(mapViewStack('    at f (about:srcdoc:12:1)', map, 10), '    at f (functions/v.js:1:1)');
});

test('the place of an error in a view comes with its source line', () => {
  const withText = JSON.stringify({ ...JSON.parse(map), sourcesContent: ['1\n2\n3\n4\n  draw();\n'] });
  const stack = 'Error: boom\n    at http://x/frame:9:1\n    at draw (http://127.0.0.1:4400/views/a/b/frame:10:1)';
  const place = { file: 'functions/panel.ts', line: 5, column: 3 };
  assert.deepEqual(placeInView(stack, withText, 10), { ...place, text: '  draw();' });
  assert.deepEqual(placeInView(stack, map, 10), place);
  assert.equal(placeInView('Error: boom', map, 10), undefined);
});
