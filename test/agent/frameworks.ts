import type { HarnessConfig } from '../../src/agent/index.ts';
import { Gate } from './a-run.ts';
import type { HarnessUnderTest } from './harnesses.ts';
import { openAgentServer } from './stand-ins/agent-server.ts';
import { type ModelApi, openModelServer } from './stand-ins/model-server.ts';
import { appWithAgent, missingOf, own, type Packages } from './vendor-apps.ts';

interface FrameworkUnderTest {
  readonly title: string;
  /** Of `test/vendors/agents`: it makes the agent. */
  readonly file: string;
  /** What of the file is imported, and the code that makes an agent of it. */
  readonly imports?: string;
  readonly agent?: (baseUrl: string) => string;
  readonly packages: Packages;
  /** What installs them, if it is none of the usual. */
  readonly installs?: string;
  /** Undefined: it asks a server that speaks AG-UI. */
  readonly api?: ModelApi | undefined;
  readonly tellsModelCalls?: boolean;
  /** Whether it runs a tool of its own that is called beside one of ours. */
  readonly runsOwnBesideOurs?: boolean;
}

export interface BotUnderTest extends HarnessUnderTest {
  /** A harness with an agent that asks this endpoint. */
  readonly harnessAt: (baseUrl: string) => HarnessConfig;
  readonly runsOwnBesideOurs: boolean;
}

function framework(given: FrameworkUnderTest): BotUnderTest {
  const { title, file, imports = 'createBot', agent = (url) => `createBot('${url}')`, packages, installs } = given;
  const api = 'api' in given ? given.api : 'chat';
  const harnessAt = (url: string): HarnessConfig => {
    const folder = appWithAgent(file, agent(url), imports, packages);
    return { kind: 'agent-framework', name: 'bot', module: 'bot.mjs', packages: { folder, trusted: true } };
  };
  return {
    title: `agent of ${title}`,
    missing: missingOf(packages, installs),
    hasFallback: false,
    tellsModelCalls: given.tellsModelCalls ?? true,
    harnessAt,
    runsOwnBesideOurs: given.runsOwnBesideOurs ?? true,
    async open(options = {}) {
      const server =
        api === undefined ? await openAgentServer(withoutModel(options)) : await openModelServer(api, options);
      return {
        harness: harnessAt(server.url),
        models: { main: 'agent-framework', fallback: 'none' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

/** What goes wrong at an agent's server goes wrong whatever its model. */
function withoutModel({ trouble, brain }: NonNullable<Parameters<HarnessUnderTest['open']>[0]>) {
  return { ...(brain && { brain }), ...(trouble && { trouble: (number: number) => trouble(number, '') }) };
}

const zod = { zod: 'zod' };
const sdk = { ai: own('ai'), '@ai-sdk/openai-compatible': own('@ai-sdk/openai-compatible') };
const agui = { '@ag-ui/client': '@ag-ui/client', rxjs: 'rxjs' };
const chatOpenAi = { '@langchain/openai': '@langchain/openai' };

const langgraph = {
  '@langchain/core': '@langchain/core',
  '@langchain/langgraph': '@langchain/langgraph',
  ...chatOpenAi,
  ...zod,
};

/** Pi is a folder of its own: it is large. */
const inPi = (name: string) => [`@ai-sdk/${name}`, `../pi/node_modules/@ai-sdk/${name}`];

/** Agents that have a model, a tool and instructions of their own. */
export const bots: readonly BotUnderTest[] = [
  framework({ title: 'the AI SDK', file: 'ai-sdk.js', packages: sdk }),
  framework({
    title: 'the AI SDK, lowest version',
    file: 'ai-sdk.js',
    packages: { ai: 'ai-lowest', '@ai-sdk/openai-compatible': 'openai-compatible-lowest' },
  }),
  framework({
    title: 'the AI SDK, HarnessAgent',
    file: 'harness-agent.js',
    packages: { ...sdk, '@ai-sdk/harness': '@ai-sdk/harness' },
  }),
  framework({
    title: 'the AI SDK, HarnessAgent of the lowest version',
    file: 'harness-agent.js',
    packages: { ...sdk, '@ai-sdk/harness': 'harness-lowest' },
  }),
  framework({ title: 'Mastra', file: 'mastra.js', packages: { '@mastra/core': '@mastra/core', ...zod } }),
  framework({
    title: 'Mastra, lowest version',
    file: 'mastra.js',
    packages: { '@mastra/core': 'mastra-lowest', ...zod },
    runsOwnBesideOurs: false,
  }),
  framework({
    title: 'LangChain',
    file: 'langchain.js',
    packages: { langchain: 'langchain', ...chatOpenAi, ...zod },
  }),
  framework({
    title: 'LangChain, lowest version',
    file: 'langchain.js',
    packages: { langchain: 'langchain-lowest', ...chatOpenAi, ...zod },
  }),
  framework({ title: 'LangGraph, createReactAgent', file: 'langgraph.js', packages: langgraph }),
  framework({
    title: 'LangGraph, a graph of its own',
    file: 'langgraph.js',
    imports: 'createGraph',
    agent: (url) => `createGraph('${url}')`,
    packages: langgraph,
  }),
  framework({
    title: 'LangGraph, lowest version',
    file: 'langgraph.js',
    packages: { ...langgraph, '@langchain/langgraph': 'langgraph-lowest' },
  }),
];

export const frameworks: readonly HarnessUnderTest[] = [
  ...bots,
  framework({
    title: 'the AI SDK, HarnessAgent with Pi',
    file: 'pi.js',
    packages: {
      ai: own('ai'),
      ...Object.fromEntries(['harness', 'harness-pi', 'sandbox-just-bash'].map(inPi)),
    },
    installs: 'npm run test:pi',
  }),
  framework({
    title: 'AG-UI that asks a server',
    file: 'ag-ui.js',
    imports: 'HttpAgent',
    agent: (url) => `new HttpAgent({ url: '${url}' })`,
    packages: { ...sdk, ...agui },
    api: undefined,
  }),
  framework({
    title: 'AG-UI that asks a model',
    file: 'ag-ui.js',
    imports: 'SdkAgent',
    agent: (url) => `new SdkAgent('${url}')`,
    packages: { ...sdk, ...agui },
    tellsModelCalls: false,
  }),
];
