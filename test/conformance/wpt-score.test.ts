import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complaints, leastShare, rises, type Score, totalOf } from '../../scripts/wpt-score.ts';

const kept: Score = {
  node: 'v24',
  areas: { url: { pass: 90, reference: 90 }, streams: { pass: 10, reference: 12 } },
  exceptions: {},
};

test('a run that reaches the kept score in every area is let through', () => {
  assert.deepEqual(complaints(kept, kept.areas), []);
});

test('one area that falls by one subtest is refused, whatever the others gain', () => {
  const now = { url: { pass: 89, reference: 90 }, streams: { pass: 12, reference: 12 } };
  assert.deepEqual(complaints(kept, now), ['url fell from 90 to 89']);
});

test('an area that is missing from the run counts as fallen', () => {
  const now = { url: { pass: 90, reference: 90 } };
  assert.deepEqual(complaints(kept, now), ['streams fell from 10 to 0']);
});

test('a total below the least share of the reference is refused even without a kept score', () => {
  assert.match(complaints(undefined, { url: { pass: 96, reference: 100 } })[0] ?? '', /below 97 %/);
  assert.deepEqual(complaints(undefined, { url: { pass: 97, reference: 100 } }), []);
});

test('an empty run is refused', () => {
  assert.equal(complaints(undefined, {}).length, 1);
});

test('areas that do better are named', () => {
  assert.deepEqual(rises(kept, { url: { pass: 91, reference: 90 }, streams: { pass: 10, reference: 12 } }), ['url']);
});

test('the score that the project keeps is itself at least the least share of the reference', () => {
  const score: Score = JSON.parse(readFileSync(new URL('wpt-score.json', import.meta.url), 'utf8'));
  const { pass, reference } = totalOf(score.areas);
  assert.ok(reference > 20_000, 'the whole collection was run');
  assert.ok(pass >= leastShare * reference);
});
