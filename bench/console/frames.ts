import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  readonly tid: number;
  readonly pid: number;
  readonly args?: { readonly name?: string };
}

/** What runs scripts, in the trace of Chromium. */
const scripts = new Set([
  'EventDispatch',
  'FireAnimationFrame',
  'TimerFire',
  'FunctionCall',
  'RunMicrotasks',
  'v8.callFunction',
]);

const frameMicroseconds = 1_000_000 / 60;

/** Milliseconds of script in each frame of the page while something is done. */
export async function scriptPerFrame(browser: Browser, page: Page, work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8', 'blink.user_timing'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const main = busiestMain(traceEvents);
  const own = traceEvents.filter(({ tid, pid, ph }) => ph === 'X' && tid === main?.tid && pid === main.pid);
  const spent = new Map<number, number>();
  let until = 0;
  for (const { ts, dur = 0 } of own.filter(({ name }) => scripts.has(name)).sort((a, b) => a.ts - b.ts)) {
    // What runs within another script is counted with it.
    if (ts < until) continue;
    until = ts + dur;
    const frame = Math.floor(ts / frameMicroseconds);
    spent.set(frame, (spent.get(frame) ?? 0) + dur / 1_000);
  }
  return [0, ...spent.values()];
}

/** The main thread of the page: of all with that name, the one in which most happened. */
function busiestMain(events: readonly TraceEvent[]): Pick<TraceEvent, 'tid' | 'pid'> | undefined {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const busy = ({ tid, pid }: TraceEvent) => events.filter((event) => event.tid === tid && event.pid === pid).length;
  return mains.toSorted((a, b) => busy(b) - busy(a))[0];
}
