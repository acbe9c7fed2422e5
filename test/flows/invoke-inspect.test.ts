import assert from 'node:assert/strict';
import { once } from 'node:events';
import { SourceMap } from 'node:module';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { DebuggerClient } from '../debugger-client.ts';
import { App } from './app.ts';

const sources = {
  'functions/_tax.ts': 'export const tax = (amount: number): number => amount / 5;\n',
  'functions/taxed.ts': `import { tax } from './_tax.js';
export const config = { type: 'server-side-method', limits: { wallMs: 300 } };

export default async (sdk: { request: Request }) => {
  const { amount } = await sdk.request.json();
  return { amount, tax: tax(amount) };
};
`,
};

/** `fn invoke` with these flags, as far as it says where its debugger listens. */
async function started(app: App, ...argv: string[]) {
  const child = app.spawn(['invoke', ...argv, '--json']);
  const kill = () => child.kill('SIGKILL');
  process.prependListener('exit', kill);
  child.stdin.end();
  const out = child.stdout.setEncoding('utf8').toArray();
  const lines = createInterface(child.stderr)[Symbol.asyncIterator]();
  const first = await lines.next();
  const ended = (async () => {
    const [exitCode] = await once(child, 'close');
    process.off('exit', kill);
    return { exitCode, out: (await out).join('') };
  })();
  return { child, waiting: JSON.parse(first.value ?? ''), ended };
}

suite('fn invoke with a debugger', { concurrency: 2 }, () => {
  test('it waits for one, stops at the first line when asked to, and time stands still meanwhile', async () => {
    const app = new App(sources);
    const { waiting, ended } = await started(app, '--inspect-brk=0', 'taxed', '-d', '{"amount":50}');
    assert.deepEqual([waiting.type, waiting.function], ['waiting-for-debugger', 'taxed']);
    const client = await new DebuggerClient(waiting.url).open();
    await client.ask('Debugger.enable');
    const script = await client.notice('Debugger.scriptParsed', ({ url }) => url.endsWith('/taxed.js'));
    await client.ask('Runtime.runIfWaitingForDebugger');
    const { callFrames } = await client.notice('Debugger.paused');
    const map = JSON.parse(Buffer.from(script['sourceMapURL'].split('base64,')[1], 'base64').toString());
    const { lineNumber, columnNumber } = callFrames[0].location;
    const origin = new SourceMap(map).findOrigin(lineNumber + 1, columnNumber + 1);
    assert.ok('fileName' in origin && origin.fileName.endsWith('/functions/taxed.ts'), JSON.stringify(origin));
    assert.equal(origin.lineNumber, 1);

    // Longer than the time limit.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await client.ask('Debugger.resume');
    const { exitCode, out } = await ended;
    assert.deepEqual([exitCode, JSON.parse(out || '{}').result], [0, { amount: 50, tax: 10 }]);
  });

  test('breakpoints that are set before it runs stop it, and a flag without a port leaves the function its name', async () => {
    const app = new App(sources);
    const { waiting, ended } = await started(app, 'taxed', '-d', '{"amount":5}', '--inspect', '0');
    const client = await new DebuggerClient(waiting.url).open();
    await client.ask('Debugger.enable');
    await stoppedIn(client, 'tax(amount)');
    await client.ask('Debugger.resume');
    assert.equal((await ended).exitCode, 0);
  });

  test('Ctrl-C ends the waiting', async () => {
    const { child, ended } = await started(new App(sources), 'taxed', '--inspect=0');
    child.kill('SIGINT');
    assert.deepEqual(await ended, { exitCode: 130, out: '' });
  });

  test('where there can be no debugger it says why, and runs nothing', async () => {
    const app = new App(sources);
    const remote = await app.fn(['invoke', 'taxed', '--remote', '--inspect']);
    assert.equal(remote.exitCode, 2);
    assert.match(remote.err, /A function that runs in another workspace cannot be debugged from here/);

    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const busy = await app.fn(['invoke', '--inspect', String(port), 'taxed']);
    taken.close();
    assert.equal(busy.out, '');
    assert.equal(busy.exitCode, 1);
    assert.match(busy.err, /The debugger cannot listen on 127\.0\.0\.1:\d+: .*in use[\s\S]*--inspect=9240/);

    const dev = await app.dev();
    try {
      const running = await app.fn(['invoke', '--inspect', 'taxed']);
      assert.equal(running.exitCode, 1);
      assert.match(running.err, /"fn dev" of this app is running \(process \d+\)[\s\S]*fn dev --inspect/);
    } finally {
      await dev.stop();
    }
  });
});

/** Lets the waiting program run to the line of its script that holds this text. */
async function stoppedIn(client: DebuggerClient, text: string) {
  const { scriptId, url } = await client.notice('Debugger.scriptParsed', (script) =>
    script['url'].endsWith('/taxed.js'),
  );
  const { scriptSource } = await client.ask('Debugger.getScriptSource', { scriptId });
  const lineNumber = scriptSource.split('\n').findIndex((line: string) => line.includes(text));
  await client.ask('Debugger.setBreakpointByUrl', { url, lineNumber });
  await client.ask('Runtime.runIfWaitingForDebugger');
  return await client.notice('Debugger.paused');
}
