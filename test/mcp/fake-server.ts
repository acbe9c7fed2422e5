import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface JsonRpc {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/** The open stream of one client. */
export interface SseSession {
  readonly response: ServerResponse;
  /** A JSON-RPC message as an event. */
  send(message: unknown): void;
  /** Bytes as they are. */
  raw(bytes: string | Uint8Array): void;
  cut(): void;
}

export type Answer = (message: JsonRpc, session: SseSession) => unknown;

export interface FakeOptions {
  /** Handles a request before the server does. @returns true if it has answered */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | undefined;
  /** Answers a call of a tool; what it returns is the result, unless it is undefined. */
  readonly call?: Answer;
  readonly tools?: readonly unknown[] | (() => readonly unknown[]);
  readonly pageSize?: number;
  /** What the `endpoint` event says; default a path of this server. */
  readonly endpoint?: string;
}

export interface FakeServer {
  readonly url: string;
  readonly origin: string;
  /** Methods of the messages received, in order. */
  readonly received: string[];
  readonly sessions: SseSession[];
  /** Headers of all requests. */
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

export const echoTool = {
  name: 'echo',
  description: 'Repeats a text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

/** An MCP server over HTTP+SSE, written by hand so that it can break every rule. */
export async function aFakeServer(t: TestContext, options: FakeOptions = {}): Promise<FakeServer> {
  const received: string[] = [];
  const sessions: SseSession[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const call: Answer =
    options.call ?? (({ params }) => text(String((params?.['arguments'] as { text?: string })?.text)));
  const allTools = () => (typeof options.tools === 'function' ? options.tools() : (options.tools ?? [echoTool]));

  const answer: Answer = (message, session) => {
    const { method, params } = message;
    if (method === 'initialize') {
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'fake', version: '1.0.0' },
      };
    }
    if (method === 'tools/list') {
      const tools = allTools();
      const { pageSize = tools.length } = options;
      const from = Number(params?.['cursor'] ?? 0);
      const page = tools.slice(from, from + pageSize);
      return { tools: page, ...(from + pageSize < tools.length && { nextCursor: String(from + pageSize) }) };
    }
    if (method === 'tools/call') return call(message, session);
    if (method === 'ping') return {};
    return undefined;
  };

  const server = createServer((request, response) => {
    headers.push(request.headers);
    if (options.intercept?.(request, response)) return;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const session: SseSession = {
        response,
        send: (message) => response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        raw: (bytes) => response.write(bytes),
        cut: () => {
          response.destroy();
        },
      };
      sessions.push(session);
      response.write(`event: endpoint\ndata: ${options.endpoint ?? `/message?session=${sessions.length - 1}`}\n\n`);
      return;
    }
    if (request.method === 'POST' && pathname === '/message') {
      const session = sessions[Number(searchParams.get('session'))];
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(202).end();
        const message = JSON.parse(body) as JsonRpc;
        received.push(message.method ?? '');
        if (message.id === undefined || session === undefined) return;
        const result = answer(message, session);
        if (result !== undefined) session.send({ jsonrpc: '2.0', id: message.id, result });
      });
      return;
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  t.after(close);
  return { url: `${origin}/sse`, origin, received, sessions, headers, close };
}
