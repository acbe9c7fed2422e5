import { after } from 'node:test';
import { type Outcome, openSandbox } from '../../../src/sandbox/index.ts';
import { plainPrelude } from './plain-layer.ts';
import { aProgram, aRequest, echoHost, type RequestChanges } from './sandbox.ts';

/** One serves all tests of a file: each invocation has a context of its own. */
const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
after(() => sandbox.close());

/** Runs the body of a function with the real web layer. */
export async function invoke(
  body: string,
  { top, host = echoHost, ...changes }: RequestChanges & { top?: string; host?: typeof echoHost } = {},
): Promise<Outcome> {
  return sandbox.invoke(aProgram(body, top === undefined ? {} : { top }), aRequest(changes), host);
}

/** What the body returned. */
export async function resultOf(body: string, changes: Parameters<typeof invoke>[1] = {}): Promise<unknown> {
  const outcome = await invoke(body, changes);
  if (outcome.status !== 'ok') throw new Error(`${outcome.status}: ${outcome.error.name}: ${outcome.error.message}`);
  return outcome.result;
}

/** The lines the body logged, without their times. */
export async function linesOf(body: string, changes: Parameters<typeof invoke>[1] = {}): Promise<string[]> {
  const outcome = await invoke(body, changes);
  if (outcome.status !== 'ok') throw new Error(`${outcome.status}: ${outcome.error.name}: ${outcome.error.message}`);
  return outcome.logs.map(({ level, text }) => (level === 'info' ? text : `${level} ${text}`));
}
