import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HarnessConfig } from '../../src/agent/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { Gate } from './a-run.ts';
import type { HarnessUnderTest } from './harnesses.ts';
import { openAgentServer } from './stand-ins/agent-server.ts';
import { type ModelApi, openModelServer } from './stand-ins/model-server.ts';

const vendors = join(import.meta.dirname, '..', 'vendors', 'node_modules');

/** A folder of an app with a module that exports an agent: the code of its `export default`, and of what it imports. */
export function appWithModule(agent: string, imports = ''): string {
  const folder = temporaryFolder('fn-module');
  writeFileSync(join(folder, 'bot.mjs'), `${imports}\nexport default ${agent};\n`);
  return folder;
}

/** Code of an import from the vendors' folder, whose modules find their packages there. */
const importing = (names: string, file: string): string =>
  `import { ${names} } from ${JSON.stringify(pathToFileURL(join(vendors, '..', file)).href)};`;

const ofModule = (folder: string): HarnessConfig => ({
  kind: 'agent-framework',
  name: 'bot',
  module: 'bot.mjs',
  packages: { folder, trusted: true },
});

/** What goes wrong at an agent's server goes wrong whatever its model. */
function withoutModel({ trouble, brain }: NonNullable<Parameters<HarnessUnderTest['open']>[0]>) {
  return { ...(brain && { brain }), ...(trouble && { trouble: (number: number) => trouble(number, '') }) };
}

interface FrameworkUnderTest {
  readonly title: string;
  /** Where its package is below `node_modules`, if it is none of the project's own. */
  readonly needs?: string;
  readonly api?: ModelApi;
  readonly tellsModelCalls?: boolean;
  /** @returns code of the module */
  readonly agent: (baseUrl: string) => { readonly agent: string; readonly imports: string };
}

function framework({ title, needs, api, tellsModelCalls = true, agent }: FrameworkUnderTest): HarnessUnderTest {
  return {
    title,
    missing: needs === undefined || existsSync(join(vendors, needs)) ? undefined : 'npm run test:vendors installs it',
    hasFallback: false,
    tellsModelCalls,
    async open(options = {}) {
      const server =
        api === undefined ? await openAgentServer(withoutModel(options)) : await openModelServer(api, options);
      const made = agent(server.url);
      return {
        harness: ofModule(appWithModule(made.agent, made.imports)),
        models: { main: 'agent-framework', fallback: 'none' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

export interface BotUnderTest extends HarnessUnderTest {
  /** Code of a module that exports an agent which asks this endpoint. */
  readonly code: FrameworkUnderTest['agent'];
}

/** An agent that a file of the vendors' folder makes. */
function bot(title: string, file: string, needs?: string): BotUnderTest {
  const code = (url: string) => ({ agent: `createBot('${url}')`, imports: importing('createBot', `agents/${file}`) });
  const kind = { title: `agent of ${title}`, ...(needs !== undefined && { needs }), api: 'chat', agent: code } as const;
  return { ...framework(kind), code };
}

export const bots: readonly BotUnderTest[] = [
  bot('the AI SDK', 'ai-sdk.js'),
  bot('Mastra', 'mastra.js', '@mastra/core'),
  bot('LangChain', 'langchain.js', 'langchain'),
];

export const frameworks: readonly HarnessUnderTest[] = [
  ...bots,
  framework({
    title: 'agent of AG-UI that asks a server',
    needs: '@ag-ui/client',
    agent: (url) => ({
      agent: `new HttpAgent({ url: '${url}' })`,
      imports: importing('HttpAgent', 'ag-ui-server.js'),
    }),
  }),
  framework({
    title: 'agent of AG-UI that asks a model',
    needs: '@ag-ui/client',
    api: 'chat',
    tellsModelCalls: false,
    agent: (url) => ({ agent: `new SdkAgent('${url}')`, imports: importing('SdkAgent', 'agents/ag-ui.js') }),
  }),
];
