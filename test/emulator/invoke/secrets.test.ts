import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Secrets } from '../../../src/emulator/invoke/secrets.ts';
import type { Workspace } from '../../../src/workspace/index.ts';

const value = 'sk_live_8f2Kq/+größe';

async function redacted(text: string, secret = value): Promise<string> {
  const secretsDoor: Workspace['secrets'] = {
    ofApp: async () => new Map([['KEY', secret]]),
    ofOwners: async () => [],
    onOwnerSecret: () => () => {},
  };
  const workspace = { secrets: secretsDoor } as Workspace;
  const secrets = new Secrets({ workspace });
  await secrets.learn('desk');
  return secrets.redact('desk', text);
}

test('a secret is redacted in every form that libraries write', async () => {
  const forms = {
    plain: value,
    JSON: JSON.stringify(value).slice(1, -1),
    URL: encodeURIComponent(value),
    base64: Buffer.from(value).toString('base64'),
    'base64 after a user name': Buffer.from(`me:${value}`).toString('base64').slice(4),
    hexadecimal: Buffer.from(value).toString('hex'),
    'hexadecimal in capitals': Buffer.from(value).toString('hex').toUpperCase(),
  };
  for (const [name, form] of Object.entries(forms)) assert.match(await redacted(`<${form}>`), /\[redacted\]/, name);
});

test('other hexadecimal text stays, and so does that of a short secret', async () => {
  const hash = createHmac('sha256', value).update('x').digest('hex');
  assert.equal(await redacted(hash), hash);
  assert.equal(await redacted('61626364', 'abcd'), '61626364');
});
