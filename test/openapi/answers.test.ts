import assert from 'node:assert/strict';
import test from 'node:test';
import { operationNames, operationOf } from '../../src/contract/index.ts';
import { WorkspaceError } from '../../src/std/index.ts';
import { anEmulator } from '../emulator/an-emulator.ts';
import { functions, steps, takeSteps } from '../emulator/steps.ts';
import { Document, type OpenApi } from './document.ts';

const { api, ask } = await anEmulator({ functions });
const openApi = (await (await ask('/openapi.json')).json()) as OpenApi;
const document = new Document(openApi);
/** What differed from the document, by the operation that was asked. */
const differences = new Map<string, string[]>();

/** Asks as the document says, and in no other way: it knows neither the table nor a client of ours. */
async function askByDocument(operationId: string, input: Record<string, unknown>): Promise<unknown> {
  const { method, path: template } = document.placeOf(operationId);
  const rest = { ...input };
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = String(rest[key]);
    delete rest[key];
    return encodeURIComponent(value);
  });
  const inQuery = method === 'get' || method === 'delete';
  const query = new URLSearchParams(inQuery ? (rest as Record<string, string>) : {}).toString();
  const response = await ask(query === '' ? path : `${path}?${query}`, {
    method: method.toUpperCase(),
    ...(!inQuery && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }),
  });
  const text = await response.text();
  const answered = { status: response.status, contentType: response.headers.get('content-type'), text };
  const found = document.problemsOf(method, path, answered);
  differences.set(operationId, [...(differences.get(operationId) ?? []), ...found]);
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (response.ok) return body;
  const { code } = body as { code: string };
  throw new WorkspaceError(code, response.status, text);
}

await takeSteps((name, input) => askByDocument(name, input));

test('the document stands where it says', () => {
  assert.equal(openApi.servers[0]?.url, api);
});

for (const name of new Set(steps.map(([, operation]) => operation))) {
  test(`every answer to ${name} is what the OpenAPI document says`, () => {
    assert.deepEqual(differences.get(name), []);
  });
}

test('the document names every operation with an address, by its name', () => {
  const named = Object.values(openApi.paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    // What the app of this test exposes.
    .filter((name) => !name.startsWith('shop.'));
  const wanted = operationNames.filter((name) => operationOf(name).route !== null);
  assert.deepEqual(named.toSorted(), wanted.toSorted());
});

test('an answer that is not what the document says is found', () => {
  const said = (status: number, text: string, contentType = 'application/json') =>
    document.problemsOf('GET', '/customers/cus_1', { status, text, contentType }).length;
  assert.equal(said(200, '{"id":1}'), 1);
  assert.equal(said(200, '{"id":"cus_1"}'), 1);
  assert.equal(said(299, '{}'), 1);
  assert.equal(said(200, '<p>', 'text/html'), 1);
  const problem = { type: 'about:blank', title: '', status: 404, requestId: '' };
  assert.equal(said(404, JSON.stringify({ ...problem, code: 'customer_not_found' }), 'application/problem+json'), 0);
  assert.equal(said(404, JSON.stringify({ ...problem, code: 'agent_not_found' }), 'application/problem+json'), 1);
});
