import assert from 'node:assert/strict';
import test from 'node:test';
import { newTraceId, parseTraceDepth, parseTraceparent, traceHeaders } from '../../src/std/index.ts';

test('a traceparent header gives its trace id', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  assert.equal(parseTraceparent(`00-${traceId}-b7ad6b7169203331-01`), traceId);
  assert.equal(parseTraceparent(`cc-${traceId}-b7ad6b7169203331-01-more`), traceId);
});

for (const header of [
  undefined,
  '',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
]) {
  test(`${JSON.stringify(header)} is not a traceparent`, () => assert.equal(parseTraceparent(header), undefined));
}

test('headers that pass a trace on are read back with id and depth', () => {
  const traceId = newTraceId();
  const headers = new Map(traceHeaders(traceId, 'evt_1', 3));
  assert.equal(parseTraceparent(headers.get('traceparent')), traceId);
  assert.equal(parseTraceDepth(`other=1, ${headers.get('tracestate')}`), 3);
});

test('a tracestate without our entry has depth 0', () => assert.equal(parseTraceDepth('other=fn=7'), 0));
