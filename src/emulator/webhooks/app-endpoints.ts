import { messageOf } from '../../std/index.ts';
import type { AppEndpoint, Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import type { Apps } from '../sources/apps.ts';
import type { FunctionInfo, FunctionSource } from '../sources/function-source.ts';

export interface AppEndpointsOptions {
  readonly apps: Pick<Apps, 'all' | 'isLive' | 'onChange'>;
  readonly workspace: Pick<Workspace, 'webhooks'>;
  readonly emit: (event: EmulatorEvent) => void;
}

/** Delay of a look after a change of a function: several may change at once. */
const lookAfterMs = 50;

/** Keeps the endpoints of apps in step with the `config.events` of their live functions. */
export class AppEndpoints {
  readonly #options: AppEndpointsOptions;
  #unsubscribe: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #kept: string | undefined;
  #closed = false;

  constructor(options: AppEndpointsOptions) {
    this.#options = options;
  }

  /**
   * Looks now and after each change of a function.
   * @param isNew of a workspace without endpoints: only functions that may subscribe are looked at, for building all would take long
   */
  start(isNew: boolean): Promise<void> {
    if (this.#unsubscribe || this.#closed) return this.#looking;
    if (isNew) this.#kept = '[[],[]]';
    this.#unsubscribe = this.#options.apps.onChange(() => {
      this.#soon ??= setTimeout(() => void this.look(), lookAfterMs).unref();
    });
    return this.look(isNew);
  }

  /** Reads the subscriptions again, one after another. */
  look(onlyLikely = false): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#looking = this.#looking.then(() => this.#look(onlyLikely));
    return this.#looking;
  }

  /** The workspace was emptied: they are made again. */
  reset(): Promise<void> {
    this.#kept = undefined;
    return this.look();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe?.();
    clearTimeout(this.#soon);
  }

  async #look(onlyLikely: boolean): Promise<void> {
    if (this.#closed) return;
    try {
      const { wanted, unknown } = await this.#read(onlyLikely);
      const found = JSON.stringify([wanted, [...unknown]]);
      if (this.#closed || found === this.#kept) return;
      await this.#options.workspace.webhooks.keepAppEndpoints(wanted, unknown);
      this.#kept = found;
    } catch (error) {
      if (this.#closed) return;
      const message = `The events that functions subscribe to cannot be read: ${messageOf(error)}`;
      this.#options.emit({ type: 'problem', code: 'events_unreadable', message });
    }
  }

  async #read(onlyLikely: boolean): Promise<{ wanted: AppEndpoint[]; unknown: Set<string> }> {
    const { apps } = this.#options;
    const wanted: AppEndpoint[] = [];
    const unknown = new Set<string>();
    for (const source of await apps.all()) {
      if (!(await apps.isLive(source))) continue;
      for (const { name, config } of await infosOf(source, onlyLikely)) {
        const target = `${source.app}/${name}`;
        if (config === undefined) unknown.add(target);
        else if (config.type === 'server-side-method' && config.events && config.events.length > 0)
          wanted.push({ target, events: config.events });
      }
    }
    return { wanted, unknown };
  }
}

function infosOf(source: FunctionSource, onlyLikely: boolean): Promise<FunctionInfo[]> {
  return (onlyLikely ? source.listWithField?.('events') : undefined) ?? source.list();
}
