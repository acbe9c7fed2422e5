import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wait } from '../../std/index.ts';
import { quoteForeign, withoutSecrets } from '../run-error.ts';
import { TransportFailure } from '../transport.ts';
import type { RunInput, RunMessage, ToolMessage } from '../types.ts';
import { environmentOf } from './environment.ts';
import type { ClaudeSdk, SdkMessage, SdkProcess, SdkSpawn } from './sdk.ts';
import { startProgram } from './start-program.ts';
import { serverName, ToolServer, toolPrefix } from './tool-server.ts';
import { toFirstMessage } from './transcript.ts';

export interface SessionOptions {
  readonly sdk: ClaudeSdk;
  readonly input: RunInput;
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly messages: readonly RunMessage[];
}

/** How long a process that was killed may take to be gone. */
const maxKillMs = 4_000;
/** Characters of the standard error that are kept, and of these the last, which are shown. */
const maxKeptComplaint = 20_000;
const maxComplaint = 2_000;

/** One process of the SDK's program, with the conversation as it began. It is killed when it is closed, and its folder removed. */
export class Session {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly #home: string;
  readonly #tools: ToolServer;
  readonly #secrets: readonly (string | undefined)[];
  readonly #messages: AsyncIterator<SdkMessage>;
  readonly #isClosed = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #complaint = '';

  private constructor({ sdk, input, model, maxOutputTokens, messages }: SessionOptions, home: string) {
    const { harness, instructions, tools, models, budget } = input;
    const { left } = budget;
    const { baseUrl, apiKey } = harness;
    this.model = model;
    this.maxOutputTokens = maxOutputTokens;
    this.#home = home;
    this.#secrets = [apiKey];
    this.#tools = new ToolServer(tools);
    const stop = new AbortController();
    const options = {
      model,
      systemPrompt: instructions,
      // Of its own tools it has none, and of the user's settings and servers it reads nothing.
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      persistSession: false,
      permissionMode: 'dontAsk',
      allowedTools: tools.map(({ name }) => toolPrefix + name),
      mcpServers: { [serverName]: { type: 'sdk', name: serverName, instance: this.#tools.server } },
      includePartialMessages: true,
      // Ours is exact; it counts a turn more than model calls are made.
      maxTurns: left.modelCalls + 1,
      ...(left.costUsd !== null && { maxBudgetUsd: left.costUsd }),
      abortController: stop,
      cwd: join(home, 'work'),
      env: environmentOf({ home, baseUrl, apiKey, models, maxOutputTokens }),
      spawnClaudeCodeProcess: (wanted: SdkSpawn) => this.#spawn(wanted),
    };
    this.#messages = sdk.query({ prompt: this.#prompt(messages), options })[Symbol.asyncIterator]();
    void this.#isClosed.promise.then(() => stop.abort());
  }

  static async start(options: SessionOptions): Promise<Session> {
    const home = await mkdtemp(join(tmpdir(), 'fn-claude-'));
    await mkdir(join(home, 'work'));
    return new Session(options, home);
  }

  /** Whether the program has asked for every result that it was given. */
  get isEven(): boolean {
    return this.#tools.isEven;
  }

  /** @param id the model's own id of the call */
  answer(id: string, result: ToolMessage): void {
    this.#tools.answer(id, result);
  }

  /**
   * The next message; undefined when there are no more.
   * @throws TransportFailure when none comes within this time, or the signal aborts; else what the SDK throws
   */
  async read(maxMs: number, signal: AbortSignal): Promise<SdkMessage | undefined> {
    const { promise: given, reject } = Promise.withResolvers<never>();
    const abort = () => reject(new TransportFailure('aborted', 'The run was stopped'));
    const timer = setTimeout(
      () => reject(new TransportFailure('silence', `Nothing came within ${maxMs / 1_000} s`)),
      maxMs,
    );
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      const step = await Promise.race([this.#messages.next(), given]);
      return step.done ? undefined : step.value;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** The last that the program said on its standard error. */
  get complaint(): string {
    return quoteForeign(this.#complaint.slice(-maxComplaint).trim(), 300, this.#secrets);
  }

  /** Kills the process, waits until it is gone, and removes its folder. */
  async close(): Promise<void> {
    this.#isClosed.resolve();
    const child = this.#child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await Promise.race([gone, wait(maxKillMs)]);
    }
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  #spawn(wanted: SdkSpawn): SdkProcess {
    const child = startProgram(wanted);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      // A key that comes in two pieces is found with the second: what is kept is longer than any key.
      this.#complaint = withoutSecrets(this.#complaint + text, this.#secrets).slice(-maxKeptComplaint);
    });
    this.#child = child;
    return child;
  }

  async *#prompt(messages: readonly RunMessage[]): AsyncGenerator<object> {
    yield {
      type: 'user',
      session_id: '',
      parent_tool_use_id: null,
      // As it is written: `/command` and `@/file` are words of the customer.
      client_composed: true,
      message: { role: 'user', content: toFirstMessage(messages) },
    };
    // Without an end of its input the program answers our tools as long as it lives.
    await this.#isClosed.promise;
  }
}
