import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { packageFile } from '../../src/std/index.ts';
import { compiledCode } from '../compiled-code.ts';
import { App, aMethod } from './app.ts';

/** `script` of util-linux gives a program a real terminal; its own input are the keys. */
const canMakeTerminals =
  process.platform === 'linux' && ['script', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

class Terminal {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  #shown = '';
  #seen: () => void = () => {};
  #hasEnded = false;
  readonly #ended: Promise<number | null>;

  constructor(app: App, argv: readonly string[]) {
    const line = [process.execPath, packageFile('bin/fn.js'), ...argv].map((part) => `'${part}'`).join(' ');
    this.child = spawn('script', ['--quiet', '--return', '--command', `exec ${line}`, '/dev/null'], {
      cwd: app.root,
      env: { PATH: process.env['PATH'], HOME: app.root, TERM: 'xterm', XDG_CACHE_HOME: compiledCode },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#shown += text;
      this.#seen();
    });
    // Not its exit: what it showed last may be read after that.
    this.#ended = once(this.child, 'close').then(([code]) => {
      this.#hasEnded = true;
      this.#seen();
      return code;
    });
    process.prependListener('exit', () => this.child.kill('SIGKILL'));
  }

  get text(): string {
    return stripVTControlCharacters(this.#shown).replaceAll('\r', '');
  }

  /** Waits until something is on the screen. */
  async shows(what: RegExp): Promise<void> {
    while (!what.test(this.text)) {
      if (this.#hasEnded) throw new Error(`it ended before it showed ${what}:\n${this.text}`);
      await new Promise<void>((resolve) => {
        this.#seen = resolve;
      });
    }
  }

  press(keys: string): void {
    this.child.stdin.write(keys);
  }

  ends(): Promise<number | null> {
    return this.#ended;
  }
}

const ctrlC = '\u0003';
const enter = '\r';

suite('on a terminal', {
  skip: !canMakeTerminals && 'script of util-linux or curl is not here',
  concurrency: 2,
}, () => {
  test('Ctrl-C at a question of fn init ends with 130, and nothing was made', async () => {
    const app = new App();
    rmSync(app.path('fn.config.json'));
    const terminal = new Terminal(app, ['init']);
    await terminal.shows(/Which type of function\?/);
    terminal.press(enter);
    await terminal.shows(/What is it called\?/);
    terminal.press(ctrlC);
    assert.equal(await terminal.ends(), 130);
    assert.match(terminal.text, /nothing was changed/);
    assert.deepEqual(readdirSync(app.root), []);
  });

  test('a question breaks its lines between words', async () => {
    const app = new App();
    const terminal = new Terminal(app, ['init']);
    await terminal.shows(/the open\nconversations/);
    terminal.press(ctrlC);
    assert.equal(await terminal.ends(), 130);
  });

  test('a request for confirmation does so, too', async () => {
    const app = new App({ 'fn.config.json': `{"version":1,"app":"desk-${'x'.repeat(50)}"}` });
    const terminal = new Terminal(app, ['workspace', 'reset']);
    await terminal.shows(/Empty the local workspace of\ndesk-x{50}\?/);
    terminal.press('n');
    terminal.press(enter);
    assert.equal(await terminal.ends(), 130);
  });

  test('fn init asks again for a name that cannot be or is taken, and makes the function in the end', async () => {
    const app = new App({ 'functions/tools/taken.ts': '' });
    const terminal = new Terminal(app, ['init', '--type', 'ai-tool']);
    await terminal.shows(/What is it called\?/);
    terminal.press('../out');
    terminal.press(enter);
    await terminal.shows(/would leave the folder functions/);
    terminal.press('\u0015taken'); // Ctrl-U clears the line
    terminal.press(enter);
    await terminal.shows(/There is a function tools\/taken already/);
    terminal.press('\u0015refund');
    terminal.press(enter);
    await terminal.shows(/language|Added/);
    terminal.press(enter);
    assert.equal(await terminal.ends(), 0);
    assert.ok(existsSync(app.path('functions/tools/refund.js')));
  });

  test('fn login asks again for an address or a slug that cannot be', async () => {
    const terminal = new Terminal(new App(), ['login']);
    await terminal.shows(/Address of the workspace/);
    terminal.press('foo bar');
    terminal.press(enter);
    await terminal.shows(/it is not an address/);
    terminal.press('\u0015https://app.example.com'); // Ctrl-U clears the line
    terminal.press(enter);
    await terminal.shows(/Slug of the workspace/);
    terminal.press('a b');
    terminal.press(enter);
    await terminal.shows(/is not the slug of a workspace/);
    terminal.press('\u0015 acme ');
    terminal.press(enter);
    await terminal.shows(/API token of acme/);
    terminal.press(ctrlC);
    assert.equal(await terminal.ends(), 130);
  });

  test('fn dev has keys, says what happens, and Ctrl-C ends it with 130', async () => {
    const app = new App({ 'functions/hello.js': aMethod("'hi'") });
    const terminal = new Terminal(app, ['dev', '--port', '0']);
    await terminal.shows(/ready in \d+ ms.*press \? for keys/);
    terminal.press('?');
    await terminal.shows(/q {2}quit/);
    terminal.press('i');
    await terminal.shows(/nothing has been invoked yet/);
    const url = /GET (http\S+hello\.js)/.exec(terminal.text)?.[1] ?? '';
    assert.equal(await (await fetch(url)).text(), '"hi"');
    await terminal.shows(/http GET hello ok/);
    terminal.press('i');
    await terminal.shows(/cli GET hello ok/);
    app.write('functions/hello.js', aMethod("oops('hi')"));
    await terminal.shows(/reloaded hello/);
    terminal.press('i');
    await terminal.shows(/cli GET hello error/);
    terminal.press('?');
    await terminal.shows(/q {2}quit[\s\S]*q {2}quit/);
    assert.equal(terminal.text.match(/oops is not defined/g)?.length, 1, 'told once');
    app.write('functions/hello.js', 'export default (');
    await terminal.shows(/functions\/hello\.js:1:\d+.*\n[\s\S]*serving the last good version of hello/);
    assert.equal(terminal.text.match(/hello does not build/g)?.length, 1, 'told once');
    terminal.press(ctrlC);
    assert.equal(await terminal.ends(), 130);
    assert.match(terminal.text, /stopped/);
  });

  test('fn dev shows a request to paste that works: its body is the default fixture', async () => {
    const app = new App({
      'functions/echo.js': aMethod('{ got: await sdk.request.json() }').replace("['GET']", "['POST']"),
      'fixtures/echo/default.json': '{"name": "O\'Neil"}',
    });
    const terminal = new Terminal(app, ['dev', '--port', '0']);
    await terminal.shows(/curl .*\n[\s\S]*press \? for keys/);
    const line = /curl .*/.exec(terminal.text)?.[0] ?? '';
    const pasted = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
    const answer = (await pasted.stdout.setEncoding('utf8').toArray()).join('');
    assert.deepEqual(JSON.parse(answer), { got: { name: "O'Neil" } });
    terminal.press('\u0004'); // Ctrl-D
    assert.equal(await terminal.ends(), 0);
  });

  test('q ends fn dev with 0', async () => {
    const app = new App();
    const terminal = new Terminal(app, ['dev', '--port', '0']);
    await terminal.shows(/No functions yet[\s\S]*press \? for keys/);
    terminal.press('q');
    assert.equal(await terminal.ends(), 0);
  });

  test('a second Ctrl-C leaves at once, however long a function still runs', async () => {
    const app = new App({ 'functions/slow.js': aMethod("(console.log('began'), new Promise(() => {}))") });
    const terminal = new Terminal(app, ['dev', '--port', '0']);
    await terminal.shows(/press \? for keys/);
    const url = /GET (http\S+slow\.js)/.exec(terminal.text)?.[1] ?? '';
    const answer = fetch(url).catch(() => undefined);
    await terminal.shows(/slow.*began/);
    terminal.press(ctrlC);
    terminal.press(ctrlC);
    assert.equal(await terminal.ends(), 130);
    await answer;
  });
});
