import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../../src/std/index.ts';
import { isSignedWith } from './signature.ts';

const { decide }: { decide(input: Input, send: Send, signal: AbortSignal): Promise<unknown> } = await import(
  pathToFileURL(packageFile('templates/harness/custom/agent.js')).href
);

/** Fields of a request as the documentation lists them. */
const known = [
  'threadId',
  'runId',
  'protocolVersion',
  'messages',
  'tools',
  'context',
  'state',
  'forwardedProps',
  'resume',
];

/** What each server does wrong; it is right in everything else. */
export const faults = {
  hello: 'says nothing to a greeting',
  'tool-by-leg': 'loses the result of a tool',
  handover: 'does not hand over',
  interrupt: 'asks again after it has its answer',
  cancel: 'falls over when a run is cancelled',
  budget: 'calls tools that the budget does not allow',
  slow: 'reads the first piece of a request only',
  cut: 'falls over when a request is cut off',
  garbage: 'answers 500 to what is no JSON',
  'wrong-secret': 'does not check the time of a signature',
  'replayed-id': 'answers the same request twice',
  'unknown-field': 'refuses fields that it does not know',
} as const;

export type Fault = keyof typeof faults;

/** A server like the template's, with one fault. */
export function openFaultyServer(secret: string, fault: Fault): Server {
  const finished = new Set<unknown>();
  let hasFallenOver = false;
  return createServer(async (request, response) => {
    const refuse = (status: number) => void response.writeHead(status).end();
    if (hasFallenOver) return refuse(503);
    const body = await readBody(request, fault).catch(() => undefined);
    if (body === undefined) {
      hasFallenOver = fault === 'cut';
      return;
    }
    const { headers } = request;
    // As if no time had passed since it was signed.
    const nowMs = fault === 'wrong-secret' ? Number(headers['webhook-timestamp']) * 1_000 : Date.now();
    if (!isSignedWith(secret, headers, body, nowMs)) return refuse(401);
    const id = headers['webhook-id'];
    if (finished.has(id) && fault !== 'replayed-id') return refuse(409);
    const input = parse(body);
    if (input === undefined) return refuse(fault === 'garbage' ? 500 : 400);
    if (fault === 'unknown-field' && Object.keys(input).some((name) => !known.includes(name))) return refuse(400);
    const { runId, threadId } = input;
    let isClosed = false;
    response.on('close', () => {
      isClosed = !response.writableFinished;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type: string, fields: object) => response.write(`data: ${JSON.stringify({ type, ...fields })}\n\n`);
    send('RUN_STARTED', { runId, threadId });
    if (fault === 'cancel') {
      for (let i = 0; i < 5 && !isClosed; i++) await sleep(10);
      hasFallenOver ||= isClosed;
    }
    const outcome = await decide(
      spoil(input, fault),
      fault === 'hello' ? muted(send, input) : send,
      new AbortController().signal,
    );
    send('RUN_FINISHED', { runId, threadId, outcome });
    finished.add(id);
    response.end();
  });
}

async function readBody(request: IncomingMessage, fault: Fault): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
    if (fault === 'slow') break;
  }
  return Buffer.concat(parts).toString('utf8');
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a request
type Input = any;

function parse(body: string): Input {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function spoil(input: Input, fault: Fault): Input {
  const last = input.messages.at(-1);
  const text = String(last.content);
  if (fault === 'tool-by-leg' && last.role === 'tool') {
    return { ...input, messages: [...input.messages.slice(0, -1), { ...last, content: 'lost' }] };
  }
  if (fault === 'handover' && /human/.test(text)) return { ...input, tools: [] };
  if (fault === 'interrupt') return { ...input, resume: undefined };
  if (fault === 'budget') return { ...input, forwardedProps: {} };
  return input;
}

type Send = (type: string, fields: object) => unknown;

function muted(send: Send, { messages }: Input): Send {
  const isGreeting = messages.length === 2 && /^Hello/.test(messages[1].content);
  return (type, fields) => (isGreeting && type.startsWith('TEXT') ? undefined : send(type, fields));
}
