import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCsv } from '../../../src/cli/send-template/csv.ts';
import { draftOf } from '../../../src/cli/send-template/message.ts';

const read = (text: string) => parseCsv(text, 'list.csv');

describe('a list of recipients', () => {
  test('may have a mark at its start, any end of line, and quoted values with all of them inside', () => {
    const { columns, rows } = read('\ufeff"to",name\r\n+4930901820,"Ann, ""A""\r\nLee"\r\n\r\n+4930901821,Bo\r\n');
    assert.deepEqual(columns, ['to', 'name']);
    assert.deepEqual(
      rows.map(({ line, values }) => [line, values['name']]),
      [
        [2, 'Ann, "A"\r\nLee'],
        [5, 'Bo'],
      ],
    );
  });

  test('may have a hundred thousand columns', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
    const { rows } = read(`to,${names.join(',')}\n+4930901820,${names.join(',')}\n`);
    assert.equal(rows[0]?.values['c99999'], 'c99999');
  });

  for (const [heading, says] of [
    ['to,a,a', /two columns are named "a"/],
    ['to,,b', /a column has no name/],
    ['to,a=b,c', /its name contains "="/],
  ] as const) {
    test(`cannot be headed ${heading}`, () => {
      assert.throws(() => read(`${heading}\n+4930901820,x,y\n`), { code: 'csv_invalid', message: says });
    });
  }
});

test('a variable may be named as what every object has', () => {
  const { body } = draftOf({ template: 't', to: '+4930901820', var: ['__proto__=x', 'constructor=y'] }, '/');
  assert.equal(JSON.stringify(body.variables), '{"body":{"__proto__":"x","constructor":"y"}}');
});
