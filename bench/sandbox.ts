/**
 * What one invocation costs through the sandbox alone (no HTTP): latency one at a time, throughput many at a time,
 * fresh and warm, small and large payloads.
 * Run: `node bench/sandbox.ts [seconds]`
 */
import { createHash } from 'node:crypto';
import { defaultLimits, type Host, openSandbox, type Program } from '../src/sandbox/index.ts';

const seconds = Number(process.argv[2] ?? 2);
const startedAt = performance.now();
const plain = process.argv.includes('--plain') ? await import('../test/sandbox/support/plain-layer.ts') : undefined;
const prelude = `{ const { stringify } = JSON; globalThis.__prelude = {
  open: (request, body, call) => ({ argument: request, body, call }),
  close: async (value) => value instanceof Uint8Array ? { json: 'null', body: value } : { json: stringify(value) ?? 'null' } }; };0;`;
const sandbox = openSandbox({
  prelude,
  ...(plain && { layer: plain.plainLayer }),
  onProblem: ({ message }) => console.error(message),
});
await sandbox.ready;
console.log(`child ready after ${(performance.now() - startedAt).toFixed(0)} ms`);

const host: Host = {
  call: async (_operation, input) => ({ ok: input }),
  fetch: () => Promise.reject(new Error('no network in a benchmark')),
};
const hello = program('register({ default: async () => ({ hello: "world" }) });');
const calling = program(
  'register({ default: async (sdk) => { for (let i = 0; i < 5; i++) await sdk.call("echo", { i }); return 5; } });',
);
const echo = program('register({ default: async (sdk) => sdk.body ? new Uint8Array(sdk.body) : sdk.argument });');

const first = performance.now();
await invoke(hello, 'fresh');
console.log(`first answer of a program: ${(performance.now() - first).toFixed(1)} ms`);
const second = performance.now();
await invoke(calling, 'fresh');
console.log(`first answer of the next program: ${(performance.now() - second).toFixed(1)} ms`);

await firstAnswers('first answers of programs with web globals', 12);
await latency('fresh, one at a time', hello, 'fresh');
await latency('warm, one at a time', hello, 'warm');
await latency('warm, five host calls', calling, 'warm');
await paced('fresh, 50 a second', hello, 20);
await throughput('fresh, 32 at a time', hello, 'fresh', 32);
await throughput('warm, 32 at a time', hello, 'warm', 32);
for (const kb of [1, 80, 1_000, 5_000]) await payload(kb);
console.log(
  sandbox
    .stats()
    .children.map(({ residentBytes, isolates }) => `${(residentBytes / 1e6).toFixed(0)} MB, ${isolates} isolates`)
    .join('; '),
);
await sandbox.close();

function program(body: string): Program {
  const code = `(async (register) => { "use strict";\n${body}\n})`;
  return { id: createHash('sha256').update(code).digest('hex'), app: 'bench', name: 'bench', code };
}

async function invoke(
  target: Program,
  isolation: 'fresh' | 'warm',
  argument: unknown = {},
  body?: Uint8Array,
): Promise<void> {
  const outcome = await sandbox.invoke(
    target,
    { argument, isolation, limits: defaultLimits, ...(body && { body }) },
    host,
  );
  if (outcome.status !== 'ok') throw new Error(`${outcome.status}: ${outcome.error.message}`);
}

/** Of programs that differ, as a function does after each save; the first of them is the first in its child to call what it calls. */
async function firstAnswers(title: string, count: number): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const saved = program(`register({ default: async () => {
      const url = new URL("http://127.0.0.1/?n=${i}");
      return new Response(url.searchParams.get("n"), { headers: new Headers({ a: "b" }) }).text();
    } });`);
    const from = performance.now();
    await invoke(saved, 'fresh');
    times.push(performance.now() - from);
    sandbox.retire(saved.id);
    // Until the next save, the child makes another isolate ready.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const later = times.slice(2).sort((a, b) => a - b);
  console.log(`${title}: ${times[0]?.toFixed(1)} ms, then ${later[later.length >> 1]?.toFixed(1)} ms`);
}

async function latency(title: string, target: Program, isolation: 'fresh' | 'warm'): Promise<void> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const from = performance.now();
    await invoke(target, isolation);
    times.push(performance.now() - from);
  }
  report(title, times, `${(times.length / seconds).toFixed(0)}/s`);
}

/** With pauses, as a person or a platform calls: the contexts made ahead are there. */
async function paced(title: string, target: Program, everyMs: number): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < (seconds * 1_000) / everyMs; i++) {
    const from = performance.now();
    await invoke(target, 'fresh');
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  report(title, times, '');
}

async function throughput(
  title: string,
  target: Program,
  isolation: 'fresh' | 'warm',
  connections: number,
): Promise<void> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) {
        const from = performance.now();
        await invoke(target, isolation);
        times.push(performance.now() - from);
      }
    }),
  );
  report(title, times, `${(times.length / seconds).toFixed(0)}/s`);
}

/** As JSON text and as a body of bytes. */
async function payload(kb: number): Promise<void> {
  const text = 'x'.repeat(kb * 1_000);
  const bytes = new Uint8Array(kb * 1_000);
  for (const [title, argument, body] of [['text', text, undefined] as const, ['bytes', {}, bytes] as const]) {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const from = performance.now();
      await invoke(echo, 'warm', argument, body);
      times.push(performance.now() - from);
    }
    report(`${kb} KB of ${title}, and back`, times, '');
  }
}

function report(title: string, times: number[], rate: string): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => `${((times[Math.floor(times.length * share)] ?? 0) * 1_000).toFixed(0)} µs`;
  console.log(`${title.padEnd(26)} p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}  ${rate}`);
}
