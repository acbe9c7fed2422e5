import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import test from 'node:test';
import { WebSocket } from 'ws';
import type { Program, Sandbox } from '../../src/sandbox/index.ts';
import { DebuggerClient } from '../debugger-client.ts';
import { bundled } from './support/bundled.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const inspect = { port: 0, host: '127.0.0.1' } as const;

const source = `interface Input { factor: number }
const base: number = 20;

function helper(input: Input): number {
  const local = base * input.factor;
  return local + 1;
}

export default async (sdk: { argument: Input }) => {
  return helper(sdk.argument);
};
`;

test('a debugger stops in the author’s TypeScript, reads locals, goes on, and the result is right', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const program = await bundled(source, 'api/debugged', { lines: true });
  sandbox.warm(program);
  const [target] = sandbox.stats().inspectors;
  assert.ok(target);
  const client = await new DebuggerClient(target.url).open();
  await client.ask('Runtime.enable');
  await client.ask('Debugger.enable');
  const script = await client.notice('Debugger.scriptParsed', ({ url }) => url.endsWith('/api/debugged.js'));
  const map = JSON.parse(Buffer.from(script['sourceMapURL'].split('base64,')[1], 'base64').toString());
  assert.deepEqual(map.sources, ['file:///test-app/functions/api/debugged.ts']);
  assert.deepEqual(map.sourcesContent, [source]);

  // Where line 5 of the TypeScript is in the script, as an editor finds out.
  const { SourceMap } = await import('node:module');
  const generated = positionOf(new SourceMap(map), { line: 6, column: 3 }, script['endLine']);
  const { breakpointId } = await client.ask('Debugger.setBreakpointByUrl', { url: script['url'], ...generated });
  assert.ok(breakpointId);

  const running = sandbox.invoke(program, aRequest({ argument: { factor: 2 }, limits: { wallMs: 400 } }), echoHost);
  const { callFrames } = await client.notice('Debugger.paused');
  const origin = new SourceMap(map).findOrigin(
    callFrames[0].location.lineNumber + 1,
    callFrames[0].location.columnNumber + 1,
  );
  assert.ok('lineNumber' in origin && origin.lineNumber === 6, JSON.stringify(origin));
  const local = callFrames[0].scopeChain.find(({ type }: { type: string }) => type === 'local');
  const { result: properties } = await client.ask('Runtime.getProperties', { objectId: local.object.objectId });
  assert.ok(
    properties.some(({ value }: { value?: { value?: unknown } }) => value?.value === 40),
    JSON.stringify(properties),
  );

  // Longer than the time limit: its clock stands still.
  await new Promise((resolve) => setTimeout(resolve, 600));
  await client.ask('Debugger.resume');
  const outcome = await running;
  assert.deepEqual(outcome.status === 'ok' && outcome.result, 41, JSON.stringify(outcome));
  assert.ok(outcome.wallMs < 400, `${outcome.wallMs} ms`);
  client.close();
});

test('what a function logs reaches the debugger as values, and the log as text', { timeout: 60_000 }, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const program = await bundled(
    "export default () => { console.warn('an order', { id: 'A-17' }); };\n",
    'api/logging',
    { lines: true },
  );
  sandbox.warm(program);
  const [target] = sandbox.stats().inspectors;
  const client = await new DebuggerClient(target?.url ?? '').open();
  await client.ask('Runtime.enable');
  const { logs } = await sandbox.invoke(program, aRequest(), echoHost);
  const { type, args } = await client.notice('Runtime.consoleAPICalled');
  assert.equal(type, 'warning');
  assert.equal(args[0].value, 'an order');
  assert.deepEqual(args[1].preview.properties, [{ name: 'id', type: 'string', value: 'A-17' }]);
  assert.deepEqual(
    logs.map(({ level, text }) => [level, text]),
    [['warn', "an order { id: 'A-17' }"]],
  );
  client.close();
});

test('a debugger that stops at every error stops at those of the author, not at ours', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const program = await bundled(
    "export default () => { console.log({ of: 'ours' }); throw new RangeError('of the author'); };\n",
    'api/throwing',
    { lines: true },
  );
  for (const patterns of [undefined, ['node_modules']]) {
    sandbox.warm(program);
    const [target] = sandbox.stats().inspectors;
    const client = await new DebuggerClient(target?.url ?? '').open();
    await client.ask('Debugger.enable');
    if (patterns) await client.ask('Debugger.setBlackboxPatterns', { patterns });
    await client.ask('Debugger.setPauseOnExceptions', { state: 'all' });
    const running = sandbox.invoke(program, aRequest(), echoHost);
    const { data } = await client.notice('Debugger.paused');
    assert.match(data.description, /^RangeError: of the author/);
    await client.ask('Debugger.resume');
    assert.equal((await running).status, 'error');
    const closed = client.closed();
    client.close();
    await closed;
  }
});

test('a debugger that leaves and comes back at once is let in', { timeout: 60_000 }, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  sandbox.warm(aProgram('return 1;'));
  const [target] = sandbox.stats().inspectors;
  for (let time = 0; time < 300; time++) {
    const client = await new DebuggerClient(target?.url ?? '').open();
    const { debuggerId } = await client.ask('Debugger.enable');
    assert.ok(debuggerId);
    const closed = client.closed();
    client.close();
    await closed;
  }
});

/** The inverse of findOrigin, by trying: test sources are small. */
function positionOf(
  map: import('node:module').SourceMap,
  wanted: { line: number; column: number },
  lines: number,
): { lineNumber: number; columnNumber: number } {
  for (let line = 0; line <= lines; line++) {
    for (let column = 0; column < 2_000; column++) {
      const entry = map.findEntry(line, column);
      if (
        'originalLine' in entry &&
        entry.generatedLine === line &&
        entry.generatedColumn === column &&
        entry.originalLine === wanted.line - 1 &&
        entry.originalColumn === wanted.column - 1
      ) {
        return { lineNumber: line, columnNumber: column };
      }
    }
  }
  throw new Error('no such place');
}

test('while one program is stopped, another answers', { timeout: 60_000 }, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const stopping = aProgram('debugger; return 1;', { name: 'stopping' });
  sandbox.warm(stopping);
  const client = await new DebuggerClient(sandbox.stats().inspectors[0]?.url ?? '').open();
  await client.ask('Debugger.enable');
  const running = sandbox.invoke(stopping, aRequest(), echoHost);
  await client.notice('Debugger.paused');
  assert.equal((await sandbox.invoke(aProgram('return 2;', { name: 'other' }), aRequest(), echoHost)).status, 'ok');
  const gone = client.closed();
  client.close();
  await gone;
  assert.equal((await running).status, 'ok');
});

test('when the program is replaced its debugger is told by the end of the connection', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const program = aProgram('return 1;');
  sandbox.warm(program);
  const client = await new DebuggerClient(sandbox.stats().inspectors[0]?.url ?? '').open();
  const gone = client.closed();
  sandbox.retire(program.id);
  await gone;
  assert.deepEqual(sandbox.stats().inspectors, []);
});

test('the list is for debuggers of this machine: a foreign Host, Origin or path gets nothing', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  sandbox.warm(aProgram('return 1;'));
  const url = sandbox.stats().inspectors[0]?.url ?? '';
  const { port, host } = new URL(url);
  const get = (path: string, headers: Record<string, string | string[]>, method = 'GET') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const asking = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asking.on('error', reject);
      asking.end();
    });
  const listed = await get('/json/list', { host });
  assert.equal(listed.status, 200);
  assert.equal(JSON.parse(listed.text)[0].webSocketDebuggerUrl, url);
  assert.equal((await get('/json/version', { host: `localhost:${port}` })).status, 200);
  assert.equal((await get('/json/list', { host: 'localhost' })).status, 200, 'as VS Code asks');
  for (const headers of [
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: '127.0.0.1' },
    { host, origin: 'http://evil.example' },
    { host, origin: 'null' },
    { host, origin: `http://127.0.0.1:${port}` },
    { host, 'sec-fetch-site': 'cross-site' },
    { host, 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await get('/json/list', headers);
    assert.deepEqual(
      [answer.status, answer.text.includes(new URL(url).pathname)],
      [403, false],
      JSON.stringify(headers),
    );
  }
  assert.equal((await get('/json/list', { host }, 'POST')).status, 405);
  const refused = (target: string, headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(target, { headers });
      socket.on('open', () => resolve('open'));
      socket.on('error', (error) => resolve(error.message));
    });
  assert.match(await refused(url, { origin: 'http://evil.example' }), /403/);
  assert.match(await refused(url, { host: 'evil.example' }), /403/);
  assert.match(await refused(`ws://${host}/${crypto.randomUUID()}`, {}), /403/);
});

test('what was loaded or invoked last stands first in the list: there editors attach without asking', async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const listed = () => sandbox.stats().inspectors.map(({ name, url }) => ({ name, url }));
  const first = aProgram('return 1;', { name: 'first' });
  sandbox.warm(first);
  const [before] = listed();
  sandbox.warm(aProgram('return 2;', { name: 'second' }));
  assert.deepEqual(
    listed().map(({ name }) => name),
    ['second', 'first'],
  );
  await sandbox.invoke(first, aRequest(), echoHost);
  assert.deepEqual(
    listed().map(({ name }) => name),
    ['first', 'second'],
  );
  assert.deepEqual(listed()[0], before, 'its address stays');
});

test('a port that is taken is a problem told; functions run all the same', async () => {
  const first = aSandbox({ inspect });
  await first.ready;
  first.warm(aProgram('return 1;'));
  const port = Number(new URL(first.stats().inspectors[0]?.url ?? '').port);
  const problems: string[] = [];
  const second = aSandbox({ inspect: { port, host: '127.0.0.1' }, onProblem: ({ code }) => problems.push(code) });
  await second.ready;
  assert.equal((await second.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'ok');
  assert.deepEqual(problems, ['inspect_unavailable']);
});

test('the clock of a function stands still while a debugger holds one that it called', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ inspect });
  await sandbox.ready;
  const callee = await bundled('export default () => { debugger; return 1; };\n', 'api/callee', { lines: true });
  const caller = await bundled("export default (sdk: any) => sdk.call('callee');\n", 'api/caller');
  const limits = { wallMs: 400 };
  const host = {
    ...echoHost,
    call: async () => {
      const inner = await sandbox.invoke(callee, aRequest({ depth: 1, limits }), echoHost);
      return { ok: inner.status };
    },
  };
  sandbox.warm(callee);
  const target = sandbox.stats().inspectors.find(({ name }) => name === 'api/callee');
  const client = await new DebuggerClient(target?.url ?? '').open();
  await client.ask('Debugger.enable');
  const running = sandbox.invoke(caller, aRequest({ limits }), host);
  await client.notice('Debugger.paused');
  await new Promise((resolve) => setTimeout(resolve, 600)); // longer than the time limit
  await client.ask('Debugger.resume');
  const outcome = await running;
  assert.equal(outcome.status === 'ok' && outcome.result, 'ok', JSON.stringify(outcome));
  client.close();
  // And goes on after that.
  const late = await sandbox.invoke(caller, aRequest({ limits }), { ...echoHost, call: () => new Promise(() => {}) });
  assert.equal(late.status, 'timeout');
});

test('saves under an attached debugger leave no threads behind', { skip: process.platform !== 'linux' }, async () => {
  const sandbox = aSandbox({ processes: 1, inspect });
  await sandbox.ready;
  const clients: DebuggerClient[] = [];
  const threads: number[] = [];
  let before: Program | undefined;
  for (let save = 0; save < 14; save++) {
    const program = aProgram(`return ${save};`, { name: 'saved' });
    if (before) sandbox.replace(before, program);
    await sandbox.invoke(program, aRequest(), echoHost);
    const client = await new DebuggerClient(sandbox.stats().inspectors[0]?.url ?? '').open();
    clients.push(client);
    await client.ask('Debugger.enable');
    await sandbox.invoke(program, aRequest(), echoHost);
    const pid = sandbox.stats().children[0]?.pid;
    threads.push(readdirSync(`/proc/${pid}/task`).length);
    before = program;
  }
  for (const client of clients) client.close();
  assert.ok((threads.at(-1) ?? 0) - (threads[3] ?? 0) < 6, threads.join(' '));
});

test('functions that are ended at a limit under an attached debugger leave no threads behind', {
  skip: process.platform !== 'linux',
  timeout: 120_000,
}, async () => {
  const sandbox = aSandbox({ processes: 1, inspect });
  await sandbox.ready;
  const program = aProgram('while (sdk.argument.forever) console.log("round"); return 1;');
  const threads: number[] = [];
  for (let round = 0; round < 12; round++) {
    sandbox.warm(program);
    const client = await new DebuggerClient(sandbox.stats().inspectors[0]?.url ?? '').open();
    await client.ask('Runtime.enable');
    await client.ask('Debugger.enable');
    const gone = client.closed();
    const limits = { cpuMs: 50 };
    const ended = await sandbox.invoke(program, aRequest({ argument: { forever: true }, limits }), echoHost);
    assert.equal(ended.status, 'timeout');
    await gone;
    assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
    threads.push(readdirSync(`/proc/${sandbox.stats().children[0]?.pid}/task`).length);
  }
  assert.ok((threads.at(-1) ?? 0) - (threads[3] ?? 0) < 6, threads.join(' '));
  assert.equal(sandbox.stats().killed, 0);
});

for (const [when, end] of [
  ['when the program is replaced', ({ sandbox, program }) => sandbox.retire(program.id)],
  ['after the debugger has left', ({ client }) => client.close()],
] as [string, (ends: { sandbox: Sandbox; program: Program; client: DebuggerClient }) => void][]) {
  test(`what a debugger has evaluated without end stops ${when}`, {
    skip: process.platform !== 'linux',
    timeout: 120_000,
  }, async () => {
    const sandbox = aSandbox({ processes: 1, inspect });
    await sandbox.ready;
    const program = aProgram('return 1;');
    sandbox.warm(program);
    const client = await new DebuggerClient(sandbox.stats().inspectors[0]?.url ?? '').open();
    await client.ask('Runtime.enable');
    assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
    const { context } = await client.notice(
      'Runtime.executionContextCreated',
      ({ context: { name } }) => name !== 'default',
    );
    await client.ask('Runtime.addBinding', { name: 'begun' });
    void client.ask('Runtime.evaluate', { expression: 'begun(""); for (;;);', contextId: context.id });
    await client.notice('Runtime.bindingCalled');
    end({ sandbox, program, client });
    await idle(sandbox.stats().children[0]?.pid ?? 0);
    assert.equal(sandbox.stats().killed, 0);
    assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
    client.close();
  });
}

/** Resolves when no thread of a process has run for half a second. On a busy machine, a thread in a loop may wait that long for a processor. */
async function idle(pid: number): Promise<void> {
  const runs = (thread: string) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ')[1]?.startsWith('R') ?? false;
    } catch {
      return false; // the thread has ended
    }
  };
  for (let looks = 0; looks < 10; looks++) {
    if (readdirSync(`/proc/${pid}/task`).some(runs)) looks = -1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
