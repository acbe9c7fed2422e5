import { refusal } from '../../contract/index.ts';
import type { AppFileContent } from '../../contract/shapes/index.ts';
import { nearest } from '../../std/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { Apps } from '../sources/apps.ts';
import type { FunctionSource, SourceFile } from '../sources/function-source.ts';

/** An AI agent as a live app has it. */
export interface FoundAgent {
  readonly app: string;
  readonly name: string;
  /** Deployment id, or `local`. */
  readonly version: string;
  readonly file: SourceFile<'ai-agent'>;
}

export interface ReadyAgent extends FoundAgent {
  readonly config: AppFileContent<'ai-agent'>;
}

/** The AI agents of all apps. */
export class Agents {
  readonly #apps: Pick<Apps, 'all' | 'source'>;
  readonly #workspace: Pick<Workspace, 'runs'>;

  constructor(apps: Pick<Apps, 'all' | 'source'>, workspace: Pick<Workspace, 'runs'>) {
    this.#apps = apps;
    this.#workspace = workspace;
  }

  /** @param app only those of this app */
  async list(app?: string): Promise<FoundAgent[]> {
    const sources = app === undefined ? await this.#apps.all() : [await this.#apps.source(app)];
    const found = await Promise.all(sources.map((source) => (source === undefined ? [] : agentsOf(source))));
    return found.flat();
  }

  /** Ids and versions, in the same order. */
  known(agents: readonly FoundAgent[]): Promise<{ id: string; version: number }[]> {
    return this.#workspace.runs.knowAgents(agents.map(({ app, name, file }) => ({ app, name, content: file.content })));
  }

  /**
   * Finds an agent by its name, `nora`, or by app and name, `order-desk/nora`.
   * @param own the app whose own agents come first
   * @throws WorkspaceError ai_agent_not_found, ai_agent_ambiguous
   */
  async find(asked: string, own?: string): Promise<FoundAgent> {
    const slash = asked.indexOf('/');
    const [app, name] = slash === -1 ? [undefined, asked] : [asked.slice(0, slash), asked.slice(slash + 1)];
    const all = await this.list(app);
    const named = all.filter((agent) => agent.name === name);
    const [found, other] = [named.find((agent) => agent.app === own) ?? named[0], named[1]];
    if (found === undefined) {
      const meant = nearest(
        name,
        all.map((agent) => agent.name),
      );
      throw refusal('ai_agent_not_found', `There is no AI agent "${asked}"`, {
        hint: meant === undefined ? 'Write agents/NAME.json, or see: fn agent list' : `Did you mean "${meant}"?`,
      });
    }
    if (other !== undefined && found.app !== own) {
      const names = named.map((agent) => `${agent.app}/${agent.name}`).join(', ');
      throw refusal('ai_agent_ambiguous', `Several apps have an AI agent "${name}": ${names}`, {
        hint: 'Name it with its app.',
      });
    }
    return found;
  }

  /** @throws WorkspaceError as `find`, ai_agent_broken */
  async require(asked: string, own?: string): Promise<ReadyAgent> {
    const agent = await this.find(asked, own);
    const { config, problem } = agent.file;
    if (config !== undefined) return { ...agent, config };
    throw refusal('ai_agent_broken', problem?.message, {
      hint: problem?.hint ?? 'Correct the file and save.',
      ...(problem && { cause: problem }),
    });
  }

  /** The script of a model, parsed: `agents/NAME.model.json` of an app. Undefined if there is none. */
  async readScript(app: string, name: string): Promise<unknown> {
    const path = `agents/${name}.model.json`;
    for (const { file } of await this.list(app)) {
      const text = await file.text(path);
      if (text !== undefined) return JSON.parse(text);
    }
    return undefined;
  }
}

async function agentsOf(source: FunctionSource): Promise<FoundAgent[]> {
  const files = (await source.appFiles?.('ai-agent')) ?? [];
  return files.map((file) => ({ app: source.app, name: file.name, version: source.version, file }));
}
