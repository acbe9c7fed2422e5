import type { checkFlow, FlowProblem, FlowSurroundings } from '../../flow/index.ts';
import { everyPage, FnError, messageOf } from '../../std/index.ts';
import type { NewFlow } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import type { MachineParts } from '../handlers/parts.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { FunctionSource, SourceFile } from '../sources/function-source.ts';
import { functionNamed } from './function-named.ts';

export interface AppFlowsOptions extends Pick<MachineParts, 'apps' | 'workspace' | 'door' | 'agents' | 'tools'> {
  /** Called when flows that start on a schedule have changed. */
  readonly onScheduled: () => Promise<void>;
  readonly emit: (event: EmulatorEvent) => void;
}

/** A flow of an app's folder, as it was checked. */
export interface CheckedFile {
  readonly app: string;
  readonly name: string;
  /** Below the app's root. */
  readonly path: string;
  /** undefined if it is wrong. */
  readonly flow: NewFlow | undefined;
  readonly problems: readonly FlowProblem[];
}

type FlowCheck = ReturnType<typeof checkFlow>;

/** Delay of a look after a change: several files may change at once. */
const lookAfterMs = 50;

/** Keeps the flows of the workspace in step with the files of its apps. One that is wrong stays as it was, and runs under way go on. */
export class AppFlows {
  readonly #options: AppFlowsOptions;
  #unsubscribe: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #looked = false;
  /** What was read of each app, and the flows of it that were good. */
  readonly #known = new Map<string, { stamp: string; text: string; flows: ReadonlyMap<string, NewFlow> }>();
  /** What was told of each file. */
  readonly #told = new Map<string, string>();
  /** Functions have changed since: what flows refer to is looked at again. */
  #changed = true;
  #closed = false;

  constructor(options: AppFlowsOptions) {
    this.#options = options;
  }

  /** Looks now and after each change. */
  start(): Promise<void> {
    if (this.#unsubscribe || this.#closed) return this.ready() ?? Promise.resolve();
    this.#unsubscribe = this.#options.apps.onChange(() => {
      this.#changed = true;
      this.#soon ??= setTimeout(() => void this.look(), lookAfterMs).unref();
    });
    return this.look();
  }

  /** What happens in a conversation must find the flows that are live now. undefined: they were read. */
  ready(): Promise<void> | undefined {
    return this.#looked && this.#soon === undefined ? undefined : this.look();
  }

  /** Reads what has changed, one look after another. */
  look(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const looking = (this.#looking ?? Promise.resolve()).then(() => this.#look());
    this.#looking = looking;
    return looking;
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe?.();
    clearTimeout(this.#soon);
  }

  /** All flows of apps in folders with what is wrong with them. */
  async check(): Promise<CheckedFile[]> {
    const sources = (await this.#options.apps.all()).filter(({ version }) => version === 'local');
    const files = await Promise.all(sources.map(async (source) => this.#checked(source, await filesOf(source))));
    return files.flat();
  }

  async #look(): Promise<void> {
    if (this.#closed) return;
    try {
      const changed = this.#changed;
      this.#changed = false;
      for (const source of await this.#options.apps.all()) await this.#publish(source, changed);
    } catch (error) {
      this.#changed = true;
      if (this.#closed) return;
      const message = `Flows cannot be read: ${messageOf(error)}`;
      this.#options.emit({ type: 'problem', code: 'flows_unreadable', message });
    } finally {
      this.#looked = true;
    }
  }

  async #publish(source: FunctionSource, changed: boolean): Promise<void> {
    const { app } = source;
    const files = (await this.#options.apps.isLive(source)) ? await filesOf(source) : [];
    const before = this.#known.get(app);
    const stamp = JSON.stringify([source.version, files.map(({ name, content }) => [name, content])]);
    if (before?.stamp === stamp && !(changed && files.length > 0)) return;
    // An app that has no flows now may have had some when the workspace was open last.
    const checked = await this.#checked(source, files);
    const flows = checked.flatMap(({ name, flow }) => flow ?? before?.flows.get(name) ?? []);
    const text = JSON.stringify(flows.map(({ name, content }) => [name, content]));
    for (const file of checked) this.#tell(file);
    if (this.#closed) return;
    const isChanged = text !== before?.text;
    if (isChanged) await this.#options.workspace.flows.publish(app, flows);
    this.#known.set(app, { stamp, text, flows: new Map(flows.map((flow) => [flow.name, flow])) });
    const all = [...flows, ...(before?.flows.values() ?? [])];
    if (isChanged && all.some(startsOnSchedule)) await this.#options.onScheduled();
  }

  /** Says once what is wrong with a file. */
  #tell({ app, path, problems }: CheckedFile): void {
    const key = `${app}/${path}`;
    const text = problems.map((problem) => `${problem.path} ${problem.message}`.trim()).join('\n  ');
    if ((this.#told.get(key) ?? '') === text) return;
    this.#told.set(key, text);
    if (text === '') return;
    this.#options.emit({ type: 'problem', code: 'flow_invalid', message: `${path} is not live:\n  ${text}` });
  }

  async #checked(source: FunctionSource, files: readonly SourceFile<'flow'>[]): Promise<CheckedFile[]> {
    if (files.length === 0) return [];
    const surroundings = await this.#surroundings(source, files);
    // Loaded with the first flow: it needs the schema library, without which fn dev starts.
    const { checkFlow } = await import('../../flow/index.ts');
    return files.map((file) => checkFile(source.app, file, (flow) => checkFlow(flow, surroundings)));
  }

  /** What flows of an app may refer to. */
  async #surroundings(source: FunctionSource, files: readonly SourceFile<'flow'>[]): Promise<FlowSurroundings> {
    const call = this.#options.door(systemCaller);
    const [workgroups, people, functions, agents, tools, clients, harnesses] = await Promise.all([
      everyPage((page) => call('workgroups.list', page)),
      everyPage((page) => call('agents.list', page)),
      this.#functions(source, files),
      this.#options.agents.list(),
      this.#options.tools.listTools(),
      everyPage((page) => call('mcpClients.list', page)),
      everyPage((page) => call('harnesses.list', page)),
    ]);
    const own = (name: string, app: string) => (app === source.app ? [name, `${app}/${name}`] : [`${app}/${name}`]);
    return {
      ...functions,
      workgroups: workgroups.map(({ name }) => name),
      people: people.map(({ email }) => email),
      agents: agents.flatMap(({ app, name }) => own(name, app)),
      tools: tools.flatMap((tool) => [tool.name, `${tool.source.name}/${tool.name}`]),
      mcpClients: clients.map(({ name }) => name),
      harnesses: harnesses.map(({ name }) => name),
    };
  }

  /** The functions that flows name. Others are not built for this; their names are known if one is missing. */
  async #functions(
    source: FunctionSource,
    files: readonly SourceFile<'flow'>[],
  ): Promise<Pick<FlowSurroundings, 'functions' | 'otherFunctions'>> {
    const { apps } = this.#options;
    const named = new Set(
      files.flatMap(({ config }) =>
        Object.values(config?.nodes ?? {}).flatMap((node) => (node.type === 'custom-flow-node' ? [node.function] : [])),
      ),
    );
    const functions: { name: string; outcomes?: readonly string[] }[] = [];
    const otherFunctions: string[] = [];
    let isMissing = false;
    for (const name of named) {
      const found = await findFunction(apps, source.app, name);
      if (found === 'broken') functions.push({ name });
      else if (found === undefined) isMissing = true;
      else if (found.config.type === 'custom-flow-node') functions.push({ name, outcomes: found.config.outcomes });
      else otherFunctions.push(name);
    }
    if (isMissing) {
      const infos = await source.list();
      for (const { name, type } of infos) if (type === 'custom-flow-node') functions.push({ name });
    }
    return { functions, otherFunctions };
  }
}

async function filesOf(source: FunctionSource): Promise<readonly SourceFile<'flow'>[]> {
  return (await source.appFiles?.('flow')) ?? [];
}

/** One that does not build now may be a flow node: what it answers is seen when it runs. */
async function findFunction(apps: AppFlowsOptions['apps'], app: string, asked: string) {
  try {
    return await functionNamed(apps, app, asked);
  } catch (error) {
    if (error instanceof FnError) return 'broken';
    throw error;
  }
}

const startsOnSchedule = ({ definition }: NewFlow) =>
  Object.values(definition.nodes).some((node) => node.type === 'trigger' && node.on === 'schedule');

function checkFile(
  app: string,
  file: SourceFile<'flow'>,
  check: (flow: NewFlow['definition']) => FlowCheck,
): CheckedFile {
  const { name, path, config, problem, content } = file;
  if (config === undefined) {
    const message = problem?.message ?? 'is not valid';
    return { app, name, path, flow: undefined, problems: [{ code: 'flow_invalid', path: '', message }] };
  }
  const checked = check(config);
  if (!checked.fits) return { app, name, path, flow: undefined, problems: checked.problems };
  return { app, name, path, flow: { name, definition: checked.flow, content }, problems: [] };
}
