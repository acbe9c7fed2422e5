import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type Caller,
  type CallOptions,
  type ErrorCode,
  errorCodes,
  type Input,
  type Operation,
  type Output,
  operationOf,
  type Scope,
  type StateOperation,
} from '../../src/contract/index.ts';
import { type Seed, shapes } from '../../src/contract/shapes/index.ts';
import { TurnableClock, WorkspaceError } from '../../src/std/index.ts';
import { type JournalEvent, openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const all: readonly Scope[] = ['read', 'write', 'send', 'deploy', 'admin'];

/** Whoever may do everything. */
export const admin: Caller = { type: 'token', id: 'tok_admin', name: 'Admin', scopes: all };
/** A function of an app, with the rights an app has. */
export const functionOf = (app: string): Caller => ({
  type: 'function',
  id: 'api/x',
  app,
  scopes: ['read', 'write', 'send', 'deploy'],
});
export const withScopes = (...scopes: Scope[]): Caller => ({ type: 'token', id: 'tok_some', scopes });

/** Refusals that any operation may give. */
const common: ReadonlySet<string> = new Set<ErrorCode>([
  'input_invalid',
  'workspace_busy',
  'token_scope',
  'operation_not_allowed',
  'cursor_invalid',
  'idempotency_key_reused',
  'idempotency_key_running',
  'version_conflict',
  'header_invalid',
  'body_too_deep',
  'workspace_stopping',
  'disk_full',
]);

export interface TestWorkspace {
  readonly workspace: Workspace;
  readonly clock: TurnableClock;
  readonly file: string;
  readonly heard: JournalEvent[];
  /** `workspace.call`, with the answer held against its shape and a refusal against the row of the table. */
  call<N extends StateOperation>(name: N, input: Input<N>, caller?: Caller, options?: CallOptions): Promise<Output<N>>;
  /** The refusal of a call; fails if the call succeeds. */
  refused<N extends StateOperation>(
    name: N,
    input: unknown,
    caller?: Caller,
    options?: CallOptions,
  ): Promise<WorkspaceError>;
  /** Closes and opens the file again. */
  reopened(): Promise<TestWorkspace>;
}

/** Noon of a Friday, so that nothing depends on when the tests run. */
export const noon = Date.parse('2026-11-20T12:00:00.000Z');

/** A workspace of its own, closed after the test: in memory unless `onDisk`, with a clock that stands at noon. */
export async function aWorkspace(
  t: TestContext,
  options: {
    seed?: Seed | 'default';
    onDisk?: boolean;
    file?: string;
    clock?: TurnableClock;
    /** Values of secrets that a seed names. */
    secrets?: Record<string, string>;
  } = {},
): Promise<TestWorkspace> {
  const clock = options.clock ?? stoppedClock();
  const file =
    options.file ?? (options.onDisk === true ? join(temporaryFolder('fn-workspace'), 'workspace.db') : ':memory:');
  const workspace = await openWorkspace({
    file,
    slug: 'acme',
    name: 'Acme',
    baseUrl: () => 'http://127.0.0.1:4242',
    clock,
    namedSecrets: async () => options.secrets ?? {},
  });
  t.after(() => workspace.close());
  const heard: JournalEvent[] = [];
  workspace.events.subscribe((event) => heard.push(event));
  if (options.seed !== undefined) {
    await workspace.seed.apply(options.seed === 'default' ? workspace.seed.default() : options.seed);
  }
  const call: TestWorkspace['call'] = async (name, input, caller = admin, callOptions = {}) => {
    try {
      const output = await workspace.call(name, input, caller, callOptions);
      shapes[name].output.parse(output);
      return output;
    } catch (error) {
      if (error instanceof WorkspaceError) requireDeclared(name, error);
      throw error;
    }
  };
  const refused: TestWorkspace['refused'] = async (name, input, caller, callOptions) => {
    try {
      await call(name, input as never, caller, callOptions);
    } catch (error) {
      if (error instanceof WorkspaceError) return error;
      throw error;
    }
    return assert.fail(`${name} was not refused`);
  };
  const reopened = async () => {
    await workspace.close();
    return aWorkspace(t, { file, clock });
  };
  return { workspace, clock, file, heard, call, refused, reopened };
}

function requireDeclared(name: StateOperation, error: WorkspaceError): void {
  const row: Operation = operationOf(name);
  const declared: readonly string[] = row.errors ?? [];
  assert.ok(
    common.has(error.code) || declared.includes(error.code),
    `${name} is refused with ${error.code}, which its row does not name`,
  );
  assert.equal(error.status, errorCodes[error.code as ErrorCode].status);
}

function stoppedClock(): TurnableClock {
  const clock = new TurnableClock();
  clock.stop(noon);
  return clock;
}

/** The code of what a promise is refused with. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return assert.fail('it was not refused');
}

/** What the workspace says no with. */
export async function refusalOf(work: Promise<unknown>): Promise<WorkspaceError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof WorkspaceError) return error;
    throw error;
  }
  return assert.fail('it was not refused');
}

/** Every item of a list, page by page. */
export async function allPages<Item>(
  page: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 1000; pages++) {
    const { items: more, nextCursor } = await page(cursor);
    items.push(...more);
    if (nextCursor === null) return items;
    cursor = nextCursor;
  }
  return assert.fail('the list has no end');
}

export async function* chunksOf(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
