import { everyPage, messageOf, nearest } from '../../std/index.ts';
import type { EmulatorEvent } from '../events.ts';
import type { MachineParts } from '../handlers/parts.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { FoundAgent } from './agents.ts';

export interface AgentTellerOptions extends Pick<MachineParts, 'apps' | 'agents' | 'tools' | 'door'> {
  readonly emit: (event: EmulatorEvent) => void;
}

/** Delay of a look after a change: several files may change at once. */
const lookAfterMs = 50;

/** Says once, after each save, what is wrong with the AI agents of apps in folders. */
export class AgentTeller {
  readonly #options: AgentTellerOptions;
  #unsubscribe: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #looking = Promise.resolve();
  /** What was told of each file. */
  readonly #told = new Map<string, string>();

  constructor(options: AgentTellerOptions) {
    this.#options = options;
  }

  /** Looks soon, and after each change. */
  start(): void {
    const look = () => {
      this.#soon ??= setTimeout(() => {
        this.#soon = undefined;
        this.#looking = this.#looking.then(() => this.#look());
      }, lookAfterMs).unref();
    };
    this.#unsubscribe ??= this.#options.apps.onChange(look);
    look();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#soon);
    await this.#looking;
  }

  async #look(): Promise<void> {
    try {
      const agents = (await this.#options.agents.list()).filter(({ version }) => version === 'local');
      if (agents.length === 0 && this.#told.size === 0) return;
      const names = await this.#names();
      const problems = new Map(agents.map((agent) => [`${agent.app}/${agent.file.path}`, problemsOf(agent, names)]));
      for (const key of this.#told.keys()) if (!problems.has(key)) this.#told.delete(key);
      for (const [key, lines] of problems) this.#tell(key, lines.join('\n  '));
    } catch (error) {
      if (this.#unsubscribe === undefined) return;
      this.#tell('', `AI agents cannot be read: ${messageOf(error)}`);
    }
  }

  #tell(key: string, message: string): void {
    if ((this.#told.get(key) ?? '') === message) return;
    this.#told.set(key, message);
    if (message !== '' && this.#unsubscribe) this.#options.emit({ type: 'problem', code: 'app_file_invalid', message });
  }

  async #names(): Promise<Names> {
    const call = this.#options.door(systemCaller);
    const [tools, harnesses] = await Promise.all([
      this.#options.tools.listTools(),
      everyPage((page) => call('harnesses.list', page)),
    ]);
    return {
      tools: tools.flatMap((tool) => [tool.name, `${tool.source.name}/${tool.name}`]),
      harnesses: harnesses.map(({ name }) => name),
    };
  }
}

interface Names {
  readonly tools: readonly string[];
  readonly harnesses: readonly string[];
}

function problemsOf({ file: { path, config, problem } }: FoundAgent, there: Names): string[] {
  if (config === undefined) {
    const { line, column } = problem?.location ?? {};
    const place = line === undefined ? '' : ` (line ${line}:${column})`;
    return [`${problem?.message ?? `${path} is not valid`}${place}`];
  }
  const { harness, tools = [] } = config;
  return [
    ...(harness === undefined ? [] : missing('harness', harness, there.harnesses, `${path}: harness`)),
    ...tools.flatMap((name, index) => missing('AI Tool', name, there.tools, `${path}: tools[${index}]`)),
  ];
}

function missing(kind: string, name: string, there: readonly string[], at: string): string[] {
  if (there.includes(name)) return [];
  const meant = nearest(name, there);
  return [
    `${at} names the ${kind} ${name}, which does not exist${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  ];
}
