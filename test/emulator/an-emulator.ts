import { deepEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after } from 'node:test';
import type { ProjectPackages } from '../../src/agent/index.ts';
import { parseFunctionConfig } from '../../src/contract/function-config/index.ts';
import { type AppFileKind, type Caller, limits } from '../../src/contract/index.ts';
import { checkAppFile, type Seed } from '../../src/contract/shapes/index.ts';
import { openApiDocument } from '../../src/emulator/http/openapi.ts';
import {
  type Emulator,
  type EmulatorEvent,
  type FunctionInfo,
  type FunctionSource,
  type LoadedFunction,
  openEmulator,
  type SourceFile,
} from '../../src/emulator/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { preludeSource } from '../../src/sdk/index.ts';
import { FnError, ProjectError, TurnableClock } from '../../src/std/index.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { Document, type OpenApi } from '../openapi/document.ts';

/** Functions as an author would write them, without a folder: config, and the body of `async (sdk) => {…}`. */
export type Functions = Record<string, { config: Record<string, unknown>; body: string; example?: unknown }>;

/** AI agents as an author would write them, without a folder: the content of the file, and a script of its model. */
export type AiAgents = Record<string, { file: Record<string, unknown>; script?: Record<string, unknown> }>;

export const token = `fn_local_${'t'.repeat(32)}`;

export const everyone: Caller = { type: 'local', id: null, scopes: ['read', 'write', 'send', 'deploy', 'admin'] };

/** Functions held in memory; a change is a new set of them. */
export class MemorySource implements FunctionSource {
  readonly app: string;
  readonly version = 'local';
  #functions: Functions;
  readonly #agents: AiAgents;
  readonly #listeners = new Set<() => void>();

  constructor(app: string, functions: Functions, agents: AiAgents = {}) {
    this.app = app;
    this.#functions = functions;
    this.#agents = agents;
  }

  change(functions: Functions): void {
    this.#functions = functions;
    for (const listener of this.#listeners) listener();
  }

  async list(): Promise<FunctionInfo[]> {
    return Object.entries(this.#functions).map(([name, { config: raw }]) => {
      try {
        const config = parseFunctionConfig(raw, { app: this.app, name });
        return { name, path: `${name}.js`, type: config.type, config };
      } catch (problem) {
        if (!(problem instanceof FnError)) throw problem;
        return { name, path: `${name}.js`, problem };
      }
    });
  }

  async appFiles<K extends AppFileKind>(kind: K): Promise<SourceFile<K>[]> {
    return Object.entries(this.#agents).map(([name, { file, script }]) => {
      const checked = checkAppFile(kind, file);
      if (!checked.fits) throw new Error(JSON.stringify(checked.problems));
      const texts = { [`agents/${name}.model.json`]: script && JSON.stringify(script) };
      const made = { kind, name, path: `agents/${name}.json`, config: checked.value, problem: undefined };
      return { ...made, content: JSON.stringify(file), text: async (path) => texts[path] };
    });
  }

  async fixtures(name: string): Promise<{ name: string; input: unknown }[]> {
    const example = this.#functions[name]?.example;
    return example === undefined ? [] : [{ name: 'default', input: example }];
  }

  async load(name: string): Promise<LoadedFunction> {
    const made = this.#functions[name];
    if (!made) throw new ProjectError('function_unknown', `There is no function "${name}"`);
    const config = parseFunctionConfig(made.config, { app: this.app, name });
    const code = `(async (register) => { "use strict";\nregister({ default: async (sdk) => {\n${made.body}\n} });\n})`;
    const id = createHash('sha256').update(code).digest('hex');
    const common = {
      app: this.app,
      name,
      path: `${name}.js`,
      type: config.type,
      version: 'local',
      config,
      isolation: config.isolation ?? 'fresh',
    } as const;
    const own = { ...limits.function, ...config.limits };
    if (config.type === 'custom-view') return { ...common, limits: own, view: { script: code, css: '' } };
    return { ...common, limits: own, program: { id, app: this.app, name, code } };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {}
}

let shared: Sandbox | undefined;

/** One sandbox for a file: its processes take longer to start than all the tests. */
async function theSandbox(): Promise<Sandbox> {
  if (shared) return shared;
  const sandbox = openSandbox({ prelude: await preludeSource() });
  shared = sandbox;
  after(() => sandbox.close());
  return sandbox;
}

export interface TestEmulator {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  readonly clock: TurnableClock;
  readonly source: MemorySource;
  readonly events: EmulatorEvent[];
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** `…/api/dev` */
  readonly api: string;
  /** A request below the API, with the token unless an Authorization header is given. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** A POST of JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface TestEmulatorOptions {
  readonly functions?: Functions;
  readonly agents?: AiAgents;
  readonly seed?: Seed;
  readonly secrets?: Record<string, string>;
  readonly now?: string;
  readonly otlpEndpoint?: string;
  readonly packages?: () => ProjectPackages | undefined;
}

/** A living workspace in memory that listens on a free port; closed when the file's tests are over. */
export async function anEmulator({
  functions = {},
  agents = {},
  seed,
  secrets = {},
  now,
  otlpEndpoint,
  packages,
}: TestEmulatorOptions = {}): Promise<TestEmulator> {
  const clock = new TurnableClock();
  if (now !== undefined) clock.stop(Date.parse(now));
  const sandbox = await theSandbox();
  let emulator: Emulator | undefined;
  const workspace = await openWorkspace({
    file: ':memory:',
    slug: 'dev',
    baseUrl: () => emulator?.baseUrl ?? '',
    clock,
  });
  await workspace.installLocalToken(token);
  await workspace.seed.apply(seed ?? workspace.seed.default());
  const source = new MemorySource('shop', functions, agents);
  const events: EmulatorEvent[] = [];
  const living = await openEmulator({
    workspace,
    sandbox,
    sources: [source],
    clock,
    localSecrets: async (app) => (app === 'shop' ? secrets : {}),
    ...(otlpEndpoint !== undefined && { otlpEndpoint }),
    ...(packages && { packages }),
    onEvent: (event) => events.push(event),
  });
  emulator = living;
  after(async () => {
    await living.close();
    await workspace.close();
  });
  const { url } = await living.listen({ port: 0, strict: true });
  const api = `${url}/api/dev`;
  const document = new Document(openApiDocument(url, 'dev', []) as unknown as OpenApi);
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    const response = await fetch(`${api}${path}`, { ...init, headers, redirect: 'manual' });
    await requireAsDocumented(document, init.method ?? 'GET', path, response);
    return response;
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { emulator: living, workspace, clock, source, events, url, api, ask, post };
}

/** Every answer in these tests is also held against the OpenAPI document. */
async function requireAsDocumented(document: Document, method: string, path: string, response: Response) {
  const contentType = response.headers.get('content-type');
  if (contentType?.startsWith('text/event-stream') || [304, 405].includes(response.status)) return;
  const answered = { status: response.status, contentType, text: await response.clone().text() };
  deepEqual(document.problemsOf(method, path.split('?')[0] ?? path, answered), []);
}

/** A method that anybody with a token may call with the methods given. */
export const method = (body: string, methods: string[] = ['POST'], more: Record<string, unknown> = {}) => ({
  config: { type: 'server-side-method', expose: { methods, auth: 'token', ...more } },
  body,
});
