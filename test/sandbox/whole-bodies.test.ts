import assert from 'node:assert/strict';
import test from 'node:test';
import { resultOf } from './support/web.ts';

/** Bodies that are known as a whole are read without a stream; nobody may see that. Each runs in Node as well, with the same result. */
const programs: Record<string, string> = {
  'is read once': `const r = new Response('a'); const before = r.bodyUsed; const text = await r.text();
    const again = await r.text().catch((error) => error.name);
    return [before, text, again, r.bodyUsed, r.body.locked];`,
  'cannot be cloned after it was read': `const r = new Response('a'); await r.json().catch(() => 0);
    try { r.clone(); return 'cloned'; } catch (error) { return error.name; }`,
  'is read from a clone and from itself': `const r = new Response(Uint8Array.of(1, 2)); const copy = r.clone();
    return [[...await copy.bytes()], [...new Uint8Array(await r.arrayBuffer())], r.bodyUsed, copy.bodyUsed];`,
  'is a copy of what it was made of': `const bytes = Uint8Array.of(1, 2); const r = new Response(bytes); bytes[0] = 9;
    const read = await r.bytes(); return [...read];`,
  'loses a byte order mark, whatever it was made of': `const mark = String.fromCharCode(0xfeff);
    return [await new Response(mark + 'ab').text(), await new Response(Uint8Array.of(0xef, 0xbb, 0xbf, 97)).text(), await new Response(mark + '{"a":1}').json()];`,
  'is UTF-8 both ways': `const text = 'häß ✓ ' + String.fromCodePoint(0x1f600); const r = new Response(text);
    return [[...await r.clone().bytes()], await r.text(), await new Response(Uint8Array.of(0xff, 97)).text(), await new Response('x'.repeat(5000) + 'ä').text()];`,
  'that is a surrogate alone is replaced': `return await new Response(String.fromCharCode(0xd800)).text();`,
  'that is no JSON is refused as such': `return await new Response('{').json().catch((error) => error.name);`,
  'is locked by a reader': `const r = new Response('a'); const reader = r.body.getReader(); const refused = await r.text().catch((error) => error.name);
    reader.releaseLock(); return [refused, await r.text()];`,
  'is read by its stream': `const r = new Response('abc'); const chunks = []; for await (const chunk of r.body) chunks.push(...chunk); return [chunks, r.bodyUsed];`,
  'may be missing': `const r = new Response(null); return [await r.text(), await r.text(), r.bodyUsed, r.body];`,
  'may be empty': `const r = new Response(''); return [await r.text(), r.bodyUsed, r.body === null];`,
  'of a request is read once as well': `const r = new Request('http://127.0.0.1/', { method: 'POST', body: '{"a":1}' });
    return [await r.json(), r.bodyUsed, await r.text().catch((error) => error.name)];`,
  'goes from one request to the next': `const r = new Request('http://127.0.0.1/', { method: 'POST', body: 'a' }); const next = new Request(r);
    return [r.bodyUsed, await next.text()];`,
  'is read by methods of their usual looks': `const { text, json, bytes, arrayBuffer } = Response.prototype;
    return [text, json, bytes, arrayBuffer].map(({ name, length }) => [name, length]).concat([Object.keys(Response.prototype).includes('text')]);`,
  'of anything else is refused': `return await Response.prototype.text.call({}).catch((error) => error.name);`,
  'becomes a Blob and a form': `const type = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const blob = await new Response('a=1&b=2', type).blob(); const form = await new Response('a=1&b=2', type).formData();
    return [blob.size, blob.type, [...form]];`,
};

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;

for (const [title, body] of Object.entries(programs)) {
  test(`a body ${title}`, async () => {
    assert.deepEqual(await resultOf(body), JSON.parse(JSON.stringify(await new AsyncFunction(body)())));
  });
}
