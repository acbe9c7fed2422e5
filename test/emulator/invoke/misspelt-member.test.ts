import assert from 'node:assert/strict';
import test from 'node:test';
import { misspeltMember } from '../../../src/emulator/invoke/misspelt-member.ts';

/** @param line with a bar in front of the position that V8 reports */
function hint(line: string, message: string, face: 'sdk' | 'client' = 'sdk'): string | undefined {
  const place = { file: 'functions/a.js', line: 1, column: line.indexOf('|') + 1, text: line.replace('|', '') };
  return misspeltMember({ name: 'TypeError', message, place }, face);
}

test('a misspelt area of sdk is answered with the area that was meant', () => {
  const message = "Cannot read properties of undefined (reading 'find')";
  assert.equal(
    hint('  return await sdk.customer.|find({ phone });', message),
    'There is no sdk.customer. Did you mean sdk.customers? See: fn docs reference/sdk',
  );
  assert.equal(
    hint('  return await sdk.database.|find({ phone });', message),
    'There is no sdk.database. See: fn docs reference/sdk',
  );
});

test('a misspelt operation is answered with the one that was meant, or with those that there are', () => {
  assert.equal(
    hint('await sdk.customers.|findOrCreat({ phone })', 'sdk.customers.findOrCreat is not a function'),
    'There is no sdk.customers.findOrCreat. Did you mean sdk.customers.findOrCreate? See: fn docs reference/sdk',
  );
  assert.equal(
    hint('await sdk.agents.|invite({})', 'sdk.agents.invite is not a function'),
    'There is no sdk.agents.invite. It has list. See: fn docs reference/sdk',
  );
  assert.match(hint('sdk.log.|wran("x")', 'sdk.log.wran is not a function') ?? '', /Did you mean sdk\.log\.warn\?/);
  assert.match(hint('sdk.|custmers({})', 'sdk.custmers is not a function') ?? '', /Did you mean sdk\.customers\?/);
});

test('an error that has another cause gets no advice', () => {
  assert.equal(hint('rows.|fnd(1)', 'rows.fnd is not a function'), undefined);
  assert.equal(hint('await sdk.customers.|find()', 'sdk.customers.find is not a function'), undefined);
  assert.equal(hint('await sdk.customers.|find()', 'Invalid URL'), undefined);
  assert.equal(hint('mysdk.customer.|find()', 'mysdk.customer.find is not a function'), undefined);
  assert.equal(misspeltMember({ name: 'TypeError', message: 'x is not a function' }), undefined);
});

test('names that every object has are misspelt, too', () => {
  assert.match(
    hint('sdk.constructor.|find()', "Cannot read properties of undefined (reading 'find')") ?? '',
    /^There is no sdk\.constructor/,
  );
});

test('a member that another type of function has is told with that type', () => {
  assert.equal(
    hint('const { phone } = sdk.tool.|args;', "Cannot read properties of undefined (reading 'args')"),
    'Only an AI Tool has sdk.tool.',
  );
  assert.equal(hint('sdk.tool.|run()', 'sdk.tool.run is not a function'), undefined);
});

test('in a view the members of the Client SDK count', () => {
  const message = "Cannot read properties of undefined (reading 'list')";
  assert.match(hint('await sdk.conversatons.|list({})', message, 'client') ?? '', /Did you mean sdk\.conversations\?/);
  assert.match(
    hint('sdk.ui.|tost("x")', 'sdk.ui.tost is not a function', 'client') ?? '',
    /Did you mean sdk\.ui\.toast\?/,
  );
  assert.equal(
    hint('await sdk.secrets.|get("K")', message, 'client'),
    'There is no sdk.secrets. See: fn docs reference/sdk',
  );
  assert.equal(hint('sdk.customer.|find()', 'sdk.customer.find is not a function', 'client'), undefined);
  assert.equal(hint('sdk.request.|json()', message, 'client'), 'Only a Server Side Method has sdk.request.');
});
