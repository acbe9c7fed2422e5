import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/std/index.ts';
import { compiledCode } from '../compiled-code.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { exceptions } from './exceptions.ts';
import type { Block, Page } from './markdown.ts';

const root = packageRoot();
const longestMs = 150_000;
/** The workspace elsewhere of which pages speak; in the test another `fn dev` plays it. */
const elsewhere = 'https://app.example.com';

export interface PageRun {
  readonly exitCode: number | null;
  /** The last step that was begun: `docs/guide/dev.md:12`. */
  readonly step: string;
  /** What the last step printed. */
  readonly output: string;
  /** What each shell block printed, by its line. */
  readonly outputs: ReadonlyMap<number, string>;
}

/**
 * Does what a page says, from top to bottom, in a fresh folder: one shell for its shell blocks, files written where they are shown.
 * `fn dev` serves until the end of the page.
 */
export async function runPage(page: Page): Promise<PageRun> {
  const place = temporaryFolder('fn-docs');
  const folder = join(place, 'order-desk');
  for (const name of ['order-desk', 'bin', 'home', 'out', 'elsewhere']) mkdirSync(join(place, name));
  installInto(folder, page);
  writeExecutables(join(place, 'bin'));
  const script = await scriptOf(page, place, folder);
  const file = join(place, 'page.sh');
  writeFileSync(file, script);
  const shell = spawn('/bin/sh', [file], {
    cwd: page.path === 'CONTRIBUTING.md' ? root : folder,
    env: environment(place),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let steps = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    steps += text;
  });
  // The whole group: a shell that waits for a program hears nothing until that has ended.
  const end = (signal: NodeJS.Signals) => shell.pid !== undefined && process.kill(-shell.pid, signal);
  const late = [setTimeout(end, longestMs, 'SIGTERM'), setTimeout(end, longestMs + 5_000, 'SIGKILL')];
  const [exitCode] = await once(shell, 'close');
  for (const timer of late) clearTimeout(timer);
  return resultOf(page, place, steps, exitCode);
}

function resultOf(page: Page, place: string, steps: string, exitCode: number | null): PageRun {
  const begun = [...steps.matchAll(/^@ (\d+)$/gm)].map(([, line]) => Number(line));
  const outputs = new Map(begun.map((line) => [line, readFileSync(join(place, 'out', String(line)), 'utf8')]));
  const last = begun.at(-1);
  const complaint = steps.replace(/^@ \d+\n/gm, '').trim();
  return {
    exitCode,
    step: `${page.path}:${last ?? 1}`,
    output: [last === undefined ? '' : (outputs.get(last) ?? ''), complaint].join('\n').trim(),
    outputs,
  };
}

/** This package, and those that the page installs: copied, because a bundle takes nothing from outside its project. */
function installInto(folder: string, page: Page): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, join(modules, 'convo-fn'), 'dir');
  for (const [, names = ''] of page.text.matchAll(/^npm install ([a-z][\w .@/-]*)$/gm)) {
    for (const name of names.split(' ').filter((name) => name !== '' && name !== 'convo-fn')) {
      cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true });
    }
  }
}

function writeExecutables(bin: string): void {
  const node = `'${process.execPath}'`;
  const lines = {
    fn: `exec ${node} '${join(root, 'bin/fn.js')}' "$@"`,
    'send-template': `exec ${node} '${join(root, 'bin/send-template.js')}' "$@"`,
    node: `exec ${node} "$@"`,
    npx: 'exec "$@"',
    // A password manager that holds the token of the workspace elsewhere.
    pass: `exec cat '${join(bin, '../token.txt')}'`,
  };
  for (const [name, line] of Object.entries(lines)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(bin, name), 0o755);
  }
}

/** Nothing of the machine's own settings, least of all its logins. */
function environment(place: string): Record<string, string> {
  const home = join(place, 'home');
  return {
    PATH: `${join(place, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    // As pages show it.
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: compiledCode,
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    TMPDIR: tmpdir(),
  };
}

async function scriptOf(page: Page, place: string, folder: string): Promise<string> {
  const port = await freePort();
  const practicePort = await freePort();
  const receiverPort = await freePort();
  const remotePort = page.text.includes(elsewhere) ? await freePort() : undefined;
  const there = `http://127.0.0.1:${remotePort}`;
  const adapt = (text: string) =>
    text
      .replaceAll('127.0.0.1:4400', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:4480', `127.0.0.1:${practicePort}`)
      .replaceAll(/\b9000\b/g, String(receiverPort))
      .replaceAll(`${elsewhere}/tenants/acme`, `${there}/tenants/dev`)
      .replaceAll(elsewhere, there)
      .replaceAll('FN_WORKSPACE=acme', 'FN_WORKSPACE=dev')
      .replaceAll(/(--profile|profile use) acme/g, '$1 dev');
  const steps = page.blocks.map((block, index) => {
    if (block.file !== undefined) return writeStep(block, place, folder, index);
    return block.language === 'sh'
      ? shellStep(block, adapt, (line) => (line.includes('--practice') ? practicePort : port))
      : '';
  });
  return [
    'set -eu',
    `place='${place}'`,
    'started=',
    "trap 'for pid in $started; do kill $pid 2>/dev/null || true; done; for pid in $started; do wait $pid 2>/dev/null || true; done' EXIT",
    "trap 'exit 143' TERM",
    // Waits until a server that was started says that it is ready, at most a minute.
    'ready() { n=0; until grep -q \'"type":"ready"\' "$1" || grep -q "ready in" "$1"; do n=$((n+1)); [ $n -lt 600 ] && kill -0 $2 || { cat "$1"; return 1; }; sleep 0.1; done; }',
    ...(remotePort === undefined ? [] : [remoteStep(remotePort)]),
    ...steps,
    '',
  ].join('\n');
}

/** The workspace elsewhere: another folder, another process, its own token, handed to `pass` and to whoever logs in. */
function remoteStep(port: number): string {
  return [
    'echo "@ 0" >&2',
    '{ fn init hello --type method --yes --app "$place/elsewhere/acme" >/dev/null',
    `(cd "$place/elsewhere/acme" && exec fn dev --port ${port}) >"$place/out/elsewhere" 2>&1 &`,
    'started="$started $!"; ready "$place/out/elsewhere" $!',
    '(cd "$place/elsewhere/acme" && fn token create ci -s admin --json) | sed \'s/.*"token":"\\([^"]*\\)".*/\\1/\' >"$place/token.txt"',
    '} >"$place/out/0" 2>&1',
  ].join('\n');
}

function writeStep(block: Block, place: string, folder: string, index: number): string {
  const kept = join(place, 'out', `file-${index}`);
  const file = join(folder, block.file ?? '');
  writeFileSync(kept, `${block.text}\n`);
  return `mkdir -p '${dirname(file)}' && cp '${kept}' '${file}'`;
}

function shellStep(block: Block, adapt: (text: string) => string, portOf: (line: string) => number): string {
  const lines = block.text.split('\n').map((line) => {
    const bare = line.replace(/ +# .*$/, '').trim();
    // Nobody sits at a terminal to type the token.
    if (/^fn login \S+$/.test(bare)) return adapt(`${bare} --token-stdin <"$place/token.txt"`);
    if (exceptions.some((exception) => exception.line.test(bare))) return ':';
    if (bare.endsWith(' &')) return backgroundStep(adapt(bare.slice(0, -2)), block.line);
    if (!/^fn dev\b/.test(bare) || bare.includes('--once')) return adapt(line);
    const command = bare.includes('--port') ? adapt(bare) : `${bare} --port ${portOf(bare)}`;
    const out = `"$place/out/dev-${portOf(bare)}"`;
    return `${command} >${out} 2>&1 & started="$started $!"; ready ${out} $!; cat ${out}`;
  });
  return [`echo "@ ${block.line}" >&2`, '{', ...lines, `} >"$place/out/${block.line}" 2>&1`].join('\n');
}

/** A program of the reader's own, which serves until the end of the page; it is ready when it has said something. */
function backgroundStep(command: string, line: number): string {
  const out = `"$place/out/background-${line}"`;
  const wait = `n=0; until [ -s ${out} ]; do n=$((n+1)); [ $n -lt 600 ] || exit 1; sleep 0.1; done`;
  return `${command} >${out} 2>&1 & started="$started $!"; ${wait}; cat ${out}`;
}

/** Below the ports that the system gives out by itself: another test would be given it before the page's server listens. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
