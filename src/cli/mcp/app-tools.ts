import { findRunningDev, isSuspended, localToken } from '../../emulator/sources/local/state-files.ts';
import type { Bridge, ServedAnswer, ServedCall, ServedTool, ToolProvider } from '../../mcp/index.ts';
import type { Project } from '../../project/index.ts';
import type { Context } from '../context.ts';
import { waitsForOwner } from '../workspaces/waits-for-owner.ts';

/** How long the workspace stays open after a call, without `fn dev`. */
const idleMs = 500;

/** What has the tools: a workspace in this process, or one behind `fn dev`. */
interface Source extends ToolProvider {
  close(): Promise<void>;
}

/**
 * The AI Tools of an app for MCP hosts: those of a running `fn dev`, otherwise of the workspace in this process. That one is open only
 * while it is used, so that `fn dev` and other commands can have it.
 */
export class AppToolProvider implements ToolProvider {
  readonly #context: Context;
  readonly #project: Project;
  readonly #toolsChanged: () => void;
  #bridge: { readonly port: number; readonly source: Promise<Bridge> } | undefined;
  #own: Promise<Source> | undefined;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(context: Context, project: Project, toolsChanged: () => void) {
    this.#context = context;
    this.#project = project;
    this.#toolsChanged = toolsChanged;
  }

  list(): Promise<readonly ServedTool[]> {
    return this.#using((source) => source.list(host));
  }

  call(call: ServedCall): Promise<ServedAnswer> {
    return this.#using((source) => source.call({ ...call, host }));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const open = [this.#bridge?.source, this.#own];
    this.#bridge = undefined;
    this.#own = undefined;
    for (const source of open) await (await source?.catch(() => undefined))?.close();
  }

  async #using<T>(work: (source: Source) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#uses++;
    try {
      return await work(await this.#source());
    } finally {
      this.#uses--;
      if (this.#uses === 0 && this.#own) this.#idle = setTimeout(() => void this.#closeOwn(), idleMs);
    }
  }

  async #source(): Promise<Source> {
    const { stateDir } = this.#project;
    const dev = this.#own ? undefined : await findRunningDev(stateDir);
    if (dev !== undefined && !isSuspended(dev.pid)) {
      if (this.#bridge?.port !== dev.port) {
        void this.#bridge?.source.then((old) => old.close()).catch(() => {});
        this.#bridge = { port: dev.port, source: this.#openBridge(dev.port, localToken(stateDir)) };
      }
      const { source } = this.#bridge;
      source.catch(() => {
        this.#bridge = undefined;
      });
      return await source;
    }
    this.#own ??= this.#openOwn();
    this.#own.catch(() => {
      this.#own = undefined;
    });
    return await this.#own;
  }

  async #openBridge(port: number, token: string): Promise<Bridge> {
    const { openBridge } = await import('../../mcp/index.ts');
    const address = { url: `http://127.0.0.1:${port}/mcp`, token, version: this.#context.version };
    return await openBridge(address, { toolsChanged: this.#toolsChanged });
  }

  async #openOwn(): Promise<Source> {
    const { openLocal, patience, servedTools } = await import('../../emulator/index.ts');
    const { stateDir } = this.#project;
    const local = await openLocal({
      project: this.#project,
      database: 'file',
      waitForOwner: patience(stateDir, this.#context.signal, () => this.#context.io.err(waitsForOwner)),
    });
    await local.planted();
    return { ...servedTools(local.emulator.tools), close: () => local.close() };
  }

  async #closeOwn(): Promise<void> {
    if (this.#uses > 0) return;
    const own = this.#own;
    this.#own = undefined;
    await (await own)?.close();
  }
}

/** Whoever can start this command is at this machine. */
const host = 'stdio';
