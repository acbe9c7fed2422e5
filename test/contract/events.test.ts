import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { aboutEvents, eventKinds } from '../../src/contract/index.ts';
import { exampleEventOf } from '../../src/contract/shapes/index.ts';
import { packageFile } from '../../src/std/index.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

for (const kind of eventKinds) {
  test(`the example of ${kind} fits its published schema, which allows more and misses nothing`, () => {
    const schema = JSON.parse(readFileSync(packageFile(`schema/events/${kind}.schema.json`), 'utf8'));
    const check = ajv.compile(schema);
    const example = exampleEventOf(kind);
    assert.ok(check(example), ajv.errorsText(check.errors));
    assert.ok(check({ ...example, later: 1, data: { ...example.data, later: {} } }), 'events may gain fields');
    assert.ok(!check({ ...example, data: {} }), 'what it carries is required');
    assert.ok(!check({ ...example, type: 'something.else' }));
    assert.doesNotMatch(aboutEvents[kind], /\.$/);
  });
}
