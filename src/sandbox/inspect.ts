import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { SourceMap } from 'node:module';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { WebSocket, WebSocketServer } from 'ws';
import { MachineError, messageOf } from '../std/index.ts';
import { DebuggerHold, type ScriptLine, type WaitingOptions } from './debugger-hold.ts';
import type { Worker } from './pool/lane.ts';
import type { Pool } from './pool/pool.ts';
import { scriptUrl } from './trace.ts';
import type { Program } from './types.ts';

export interface InspectOptions {
  readonly port: number;
  readonly host: '127.0.0.1';
  /** Folder of the app. Editors find the sources by absolute path. */
  readonly root?: string;
  readonly waiting?: WaitingOptions;
}

/** A program that can be debugged. Its address stays the same until its code changes. */
interface Target {
  readonly id: string;
  readonly program: Program;
  client: { socket: WebSocket; worker: Worker; leave(): void } | undefined;
}

/** Origin of Chrome's own front end; a web page can never send it. */
const devtoolsOrigin = 'devtools://devtools';
const largestMessage = 64 * 1024 * 1024;

/**
 * Serves the Chrome DevTools Protocol for each program. Chrome DevTools (chrome://inspect) and editors find the targets at
 * `/json/list` and attach by WebSocket. An attached client can run code in the program's isolate, so requests have to name
 * this server exactly, and may not come from a web page.
 */
export class InspectServer {
  readonly listening: Promise<number>;
  readonly #options: InspectOptions;
  readonly #waiting: DebuggerHold | undefined;
  readonly #targets = new Map<string, Target>();
  /** Workers that a debugger has paused. */
  readonly #held = new Set<Worker>();
  #pool: Pool | undefined;
  #server: Server | undefined;
  #sockets: WebSocketServer | undefined;
  #port = 0;
  #closed = false;

  constructor(options: InspectOptions, onProblem: (code: string, message: string) => void) {
    this.#options = options;
    this.#waiting = options.waiting && new DebuggerHold(options.waiting);
    this.listening = this.#listen();
    this.listening.catch((error: unknown) => {
      // If a program waits for a debugger, it reports this itself.
      if (!this.#waiting) onProblem('inspect_unavailable', this.#notListening(error));
    });
  }

  #notListening(error: unknown): string {
    const { host, port } = this.#options;
    return `The debugger cannot listen on ${host}:${port}: ${messageOf(error)}`;
  }

  serve(pool: Pool): void {
    this.#pool = pool;
  }

  /** Whether this program has to wait for its debugger. */
  isHeld(program: Program): boolean {
    return this.#waiting?.holds(program.id) ?? false;
  }

  /** Resolves once the debugger lets the program run. @throws MachineError if none can attach; InterruptedError */
  async untilAttended(program: Program): Promise<void> {
    const port = await this.listening.catch((error: unknown) => {
      throw new MachineError('inspect_unavailable', this.#notListening(error), {
        hint: 'Another debugger may be listening there: stop it, or choose another port, such as --inspect=9240.',
        cause: error,
      });
    });
    const url = this.list().find(({ program: id }) => id === program.id)?.url;
    await this.#waiting?.released({ name: program.name, port, url: url ?? '' });
    this.#server?.unref();
  }

  /** The program's source map for debuggers: for the script as it runs, with sources that an editor can find. */
  mapFor(program: Program): string | undefined {
    if (program.sourceMap === undefined) return undefined;
    try {
      const map: { sources: string[]; mappings: string } = JSON.parse(program.sourceMap);
      const base =
        this.#options.root === undefined
          ? `file:///${encodeURIComponent(program.app)}/`
          : `${pathToFileURL(this.#options.root).href}/`;
      // The script has one line in front of the program (child/supervisor.ts).
      return JSON.stringify({
        ...map,
        sourceRoot: '',
        sources: map.sources.map((source) => new URL(source, base).href),
        mappings: `;${map.mappings}`,
      });
    } catch {
      return undefined;
    }
  }

  /** Puts the program first in the list: editors attach to the first target without asking. */
  offer(program: Program): void {
    const target = this.#targets.get(program.id) ?? { id: crypto.randomUUID(), program, client: undefined };
    this.#targets.delete(program.id);
    this.#targets.set(program.id, target);
  }

  withdraw(programId: string): void {
    this.#targets.get(programId)?.client?.socket.close(1001, 'the program was replaced');
    this.#targets.delete(programId);
  }

  /** Passes a message from an isolate to its debugger. An empty text means that the isolate is gone. */
  say(worker: Worker, message: string): void {
    const client = this.#targets.get(worker.lane.program.id)?.client;
    if (client?.worker !== worker) return;
    if (message.startsWith('{"method":"Debugger.paused"')) this.#hold(worker, true);
    else if (message.startsWith('{"method":"Debugger.resumed"')) this.#hold(worker, false);
    if (message === '') client.socket.close(1001, 'the isolate was renewed');
    else client.socket.send(message);
  }

  #hold(worker: Worker, held: boolean): void {
    const before = this.#held.size;
    if (held) this.#held.add(worker);
    else this.#held.delete(worker);
    if (before > 0 !== this.#held.size > 0) this.#pool?.holdClocks(held);
  }

  list(): { program: string; name: string; url: string }[] {
    if (this.#port === 0) return [];
    return this.#offered().map(({ id, program }) => ({
      program: program.id,
      name: program.name,
      url: `ws://127.0.0.1:${this.#port}/${id}`,
    }));
  }

  close(): void {
    this.#closed = true;
    for (const id of [...this.#targets.keys()]) this.withdraw(id);
    for (const socket of this.#sockets?.clients ?? []) socket.terminate();
    this.#sockets?.close();
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #listen(): Promise<number> {
    // Loaded here, so that only debugging pays for it.
    const [{ createServer }, { WebSocketServer: Sockets }] = await Promise.all([import('node:http'), import('ws')]);
    const server = createServer((request, response) => this.#answer(request, response));
    this.#server = server;
    this.#sockets = new Sockets({ noServer: true, maxPayload: largestMessage });
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('clientError', (_, socket) => socket.destroy());
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#options.port, this.#options.host, () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    // A program that waits for a debugger keeps the process alive.
    if (!this.#waiting) server.unref();
    this.#port = port;
    if (this.#closed) server.close();
    return port;
  }

  #isAllowed({ headers, rawHeaders }: IncomingMessage): boolean {
    const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
    // VS Code's debugger leaves out the port. A page cannot: browsers send the port unless it is 80.
    const named = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`, 'localhost'].includes(headers.host ?? '');
    const site = headers['sec-fetch-site'];
    return (
      hosts === 1 &&
      named &&
      (headers.origin === undefined || headers.origin === devtoolsOrigin) &&
      (site === undefined || site === 'none')
    );
  }

  /** Where the program's own source begins in its script, behind its imports. */
  #firstLine(program: Program): ScriptLine {
    const url = scriptUrl(program);
    const map = this.mapFor(program);
    if (map === undefined) return { url, lineNumber: 1 };
    const found = new SourceMap(JSON.parse(map));
    const lines = program.code.split('\n').length + 1;
    for (let line = 1; line < lines; line++) {
      const entry = found.findEntry(line, Number.MAX_SAFE_INTEGER);
      if ('originalSource' in entry && entry.generatedLine === line && isOwn(entry.originalSource, program))
        return { url, lineNumber: line };
    }
    return { url, lineNumber: 1 };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const send = (status: number, value: unknown) => {
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      response.end(JSON.stringify(value));
    };
    if (!this.#isAllowed(request)) send(403, { error: 'this server answers debuggers on this machine only' });
    else if (request.method !== 'GET') send(405, { error: 'GET only' });
    else if (request.url === '/json/version') send(200, { Browser: 'convo-fn', 'Protocol-Version': '1.3' });
    else if (request.url === '/json' || request.url === '/json/list')
      send(
        200,
        this.#offered().map((target) => this.#described(target)),
      );
    else send(404, { error: 'not found' });
  }

  /** Targets, most recently loaded or invoked first. */
  #offered(): Target[] {
    return [...this.#targets.values()].reverse();
  }

  #described({ id, program }: Target): Record<string, string> {
    const address = `127.0.0.1:${this.#port}/${id}`;
    return {
      description: `function ${program.name} of ${program.app}`,
      devtoolsFrontendUrl: `devtools://devtools/bundled/js_app.html?experiments=true&v8only=true&ws=${address}`,
      id,
      title: program.name,
      type: 'node',
      url: `file:///${program.app}/${program.name}.js`,
      webSocketDebuggerUrl: `ws://${address}`,
    };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const target = this.#offered().find(({ id }) => request.url === `/${id}`);
    if (!this.#isAllowed(request) || !target || !this.#sockets) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#attach(target, client));
  }

  #attach(target: Target, socket: WebSocket): void {
    const worker = this.#pool?.workerOf(target.program.id);
    // The client is closing already. Its connection ends a moment later, and an editor may reconnect before that.
    if (target.client && target.client.socket.readyState !== socket.OPEN) target.client.leave();
    if (target.client || !worker) {
      socket.close(1013, target.client ? 'another debugger is attached' : 'the program is not loaded; call it once');
      return;
    }
    const leave = () => {
      if (target.client !== client) return;
      target.client = undefined;
      this.#hold(worker, false);
      this.#pool?.tell(worker, { t: 'inspect', worker: worker.id, message: null });
    };
    const client = { socket, worker, leave };
    target.client = client;
    socket.on('message', (data, isBinary) => {
      if (isBinary || target.client !== client) return;
      const message = String(data);
      const tell = (told: string) => this.#pool?.tell(worker, { t: 'inspect', worker: worker.id, message: told });
      tell(message);
      this.#waiting?.hear(target.program.id, message, () => this.#firstLine(target.program), tell);
    });
    socket.on('close', leave);
    socket.on('error', () => socket.terminate());
  }
}

/** Whether the source is the function's own file. */
const isOwn = (source: string, { name }: Program): boolean =>
  decodeURIComponent(source)
    .replace(/\.[^./]+$/, '')
    .endsWith(`/${name}`);
