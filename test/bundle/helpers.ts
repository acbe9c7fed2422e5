import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import vm from 'node:vm';
import {
  type BuiltBundle,
  type Bundle,
  Bundler,
  type BundlerOptions,
  type FunctionSource,
} from '../../src/bundle/index.ts';
import { syncFunctions } from '../../src/sandbox/web/native.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** An app in a folder of its own, which goes away with the test. */
export interface TestApp {
  readonly root: string;
  /** Writes files, by their paths relative to the app. */
  write(files: Record<string, string>): void;
  /** `api/find` → its source in `functions/api/find.js`, or what `file` says. */
  source(name: string, options?: { file?: string; kind?: 'server' | 'view' }): FunctionSource;
  path(relative: string): string;
}

export function anApp(files: Record<string, string>): TestApp {
  const root = temporaryFolder('fn-bundle');
  const app: TestApp = {
    root,
    write(more) {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    source: (name, { file = `functions/${name}.js`, kind = 'server' } = {}) => ({
      app: 'test',
      name,
      file: join(root, file),
      root,
      kind,
    }),
    path: (relative) => join(root, relative),
  };
  // A package.json of its own, so that one in a folder above rules nothing.
  app.write({ 'package.json': '{"name":"test"}', ...files });
  return app;
}

export function aBundler(t: TestContext, options: BundlerOptions = {}): Bundler {
  const bundler = new Bundler(options);
  t.after(() => bundler.close());
  return bundler;
}

/** What the bundle is, however long it took. */
export function untimed({ ms: _, ...bundle }: BuiltBundle): Bundle {
  return bundle;
}

export interface Namespace {
  readonly config?: unknown;
  readonly default: (...args: unknown[]) => unknown;
  readonly [name: string]: unknown;
}

/** Evaluates a program in a bare context of node:vm: web globals and nothing of Node's. For what the text means, not for isolation. */
export async function evaluate(code: string, globals: Record<string, unknown> = {}): Promise<Namespace> {
  const context = vm.createContext({
    ...Object.fromEntries(webGlobals.map((name) => [name, (globalThis as Record<string, unknown>)[name]])),
    ...globals,
  });
  let namespace: Namespace | undefined;
  const run = vm.runInContext(code, context, { filename: 'bundle.js' }) as (
    register: (module: Namespace) => void,
  ) => Promise<void>;
  await run((module) => {
    namespace = module;
  });
  if (!namespace) throw new Error('the program did not register');
  return namespace;
}

const webGlobals = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'Buffer',
  'Event',
  'EventTarget',
  'ReadableStream',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'atob',
  'btoa',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'performance',
  'process',
  'queueMicrotask',
  'setInterval',
  'setTimeout',
  'structuredClone',
];

/** Evaluates a program in this very realm, with the child's own table behind the native bridge. */
export async function evaluateHere(code: string): Promise<Namespace> {
  const bridge = Object.freeze({
    sync(name: string, ...args: unknown[]): unknown {
      const run = syncFunctions[name];
      if (!run || !/^(?:crypto|zlib)\./.test(name)) throw new TypeError(`no native function ${name}`);
      return run(...args);
    },
  });
  Object.defineProperty(globalThis, Symbol.for('convo-fn.native'), { value: bridge, configurable: true });
  let namespace: Namespace | undefined;
  const run = vm.runInThisContext(code, { filename: 'bundle.js' }) as (
    register: (module: Namespace) => void,
  ) => Promise<void>;
  await run((module) => {
    namespace = module;
  });
  if (!namespace) throw new Error('the program did not register');
  return namespace;
}
