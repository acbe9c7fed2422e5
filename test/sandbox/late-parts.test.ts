import assert from 'node:assert/strict';
import test from 'node:test';
import { createContext, Script } from 'node:vm';
import { cachedLayer } from '../../src/sandbox/web/build.ts';

/** A part of the layer that a context loads without need costs each invocation of such a program up to a millisecond. */
const asked: Record<string, string> = {
  'new Response("text", { headers: { a: "b" } }).status': 'fetch',
  'Response.json({ a: 1 }, { status: 201 }).headers.get("content-type")': 'fetch',
  'new Response(new Uint8Array(3)).ok': 'fetch',
  'new Headers([["a", "b"]]).get("a")': 'fetch',
  'new URL("http://127.0.0.1/?a=1").searchParams.get("a")': 'url',
};

const layer = new Script(await cachedLayer());

for (const [program, parts] of Object.entries(asked)) {
  test(`${program} loads ${parts}`, () => {
    const context = createContext();
    layer.runInContext(context);
    const handles = context['__layer']({ sync() {}, start() {}, log() {} });
    new Script(program).runInContext(context);
    assert.equal(handles.used(), parts);
  });
}
