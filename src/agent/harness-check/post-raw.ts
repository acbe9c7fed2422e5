import http from 'node:http';
import https from 'node:https';
import { wait } from '../../std/index.ts';
import { Budget, defaultBudget } from '../budget/budget.ts';
import { createPrices } from '../budget/prices.ts';
import { parseHarnessUrl } from '../custom/check.ts';
import { readLeg } from '../custom/read-leg.ts';
import type { LegRequest } from '../custom/request.ts';
import { readReply } from '../custom/send-leg.ts';
import { RunFailure } from '../run-error.ts';
import { TransportFailure } from '../transport.ts';
import type { HarnessConfig, RunLimits } from '../types.ts';

export interface PostedReply {
  /** 0 when the request was cut off on purpose. */
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface HowToPost {
  /** Sends the body in so many pieces, with a pause between them. */
  readonly pieces?: number;
  readonly hangUp?: 'in-the-middle' | 'after-first-byte';
}

const pauseMs = 20;

/**
 * Posts as nobody should, each time on a connection of its own.
 * @throws TransportFailure when there is no answer in time
 */
export async function postRaw(
  { harness, limits, signal }: { harness: HarnessConfig; limits: RunLimits; signal: AbortSignal },
  body: string,
  headers: Readonly<Record<string, string>>,
  { pieces = 1, hangUp }: HowToPost = {},
): Promise<PostedReply> {
  const url = parseHarnessUrl(harness);
  const bytes = Buffer.from(body);
  const { promise, resolve, reject } = Promise.withResolvers<PostedReply>();
  // When the request is cut off on purpose nobody waits for it.
  promise.catch(() => undefined);
  const request = (url.protocol === 'http:' ? http : https).request(url, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json;q=0.9',
      'content-length': String(bytes.length),
      ...headers,
    },
  });
  const timer = setTimeout(() => {
    reject(new TransportFailure('first-byte-timeout', `No whole answer within ${limits.firstByteMs / 1_000} s`));
    request.destroy();
  }, limits.firstByteMs);
  request.on('error', (error) => reject(new TransportFailure('network', error.message, error)));
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    const { statusCode: status = 0, headers: given } = response;
    const end = () => resolve({ status, headers: given, body: Buffer.concat(parts) });
    response.on('data', (part: Buffer) => {
      parts.push(part);
      if (hangUp !== 'after-first-byte') return;
      request.destroy();
      end();
    });
    response.on('end', end);
    response.on('error', (error) => reject(new TransportFailure('network', error.message, error)));
  });
  try {
    if (hangUp === 'in-the-middle') {
      await new Promise<void>((sent) => request.write(bytes.subarray(0, bytes.length / 2), () => sent()));
      await wait(pauseMs, signal);
      request.destroy();
      return { status: 0, headers: {}, body: Buffer.alloc(0) };
    }
    const size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) {
      if (at > 0) await wait(pauseMs, signal);
      request.write(bytes.subarray(at, at + size));
    }
    request.end();
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** @returns what breaks the protocol in a reply, if anything does */
export async function readEvents(
  { status, headers, body }: PostedReply,
  request: LegRequest,
  { harness, limits }: { harness: HarnessConfig; limits: RunLimits },
): Promise<string | undefined> {
  const reply = { status, headers, body: ReadableStream.from([body]) };
  const budget = new Budget(defaultBudget, { prices: createPrices() });
  const about = { leg: 1, tools: [], models: { main: 'check' }, state: {}, budget, limits, harnessName: harness.name };
  try {
    for await (const _ of readLeg(readReply(reply, request, harness, limits), { request, ...about }));
    return undefined;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return error.message;
  }
}
