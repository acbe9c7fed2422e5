import { type HarnessConfig, harnessAdapters, type RunEvent } from '../../src/agent/index.ts';
import { ofType, type RunOptions, runAgent } from './a-run.ts';
import { openAgentsApi } from './stand-ins/agents-api-server.ts';
import type { Brain } from './stand-ins/brain.ts';
import { openManagedAgents } from './stand-ins/managed-agents-server.ts';
import type { ServedRequest, Server, Trouble } from './stand-ins/server.ts';
import { appWithPackages, missingOf } from './vendor-apps.ts';

/** The key of `at`. */
export const key = 'sk-secret-of-the-test';

interface HostedServer extends Server {
  readonly sessions: ReadonlyMap<string, { readonly inputs: readonly string[]; readonly turn: unknown }>;
}

interface HostedKind {
  readonly kind: 'openai-agents-api' | 'claude-managed-agents';
  readonly packageName: string;
  readonly model: string;
  open(options?: {
    brain?: Brain;
    trouble?: (number: number, request: ServedRequest) => Trouble | undefined;
    key?: string;
  }): Promise<HostedServer>;
  /** What a session gets that cancels its turn. */
  readonly cancel: string;
}

function hosted(given: HostedKind) {
  const packages = { [given.packageName]: given.packageName };
  const missing = missingOf(packages);
  const folder = missing === undefined ? appWithPackages(packages) : '';
  const { kind, model } = given;
  return {
    ...given,
    adapter: harnessAdapters[kind],
    missing,
    folder,
    at: (baseUrl: string, more: Partial<HarnessConfig> = {}): HarnessConfig => {
      return { kind, name: 'hosted', apiKey: key, baseUrl, packages: { folder, trusted: true }, ...more };
    },
    run: (harness: HarnessConfig, say: string, more: Partial<RunOptions> = {}) =>
      runAgent({ say, harness, models: { main: model }, ...more }),
  };
}

export const agentsApi = hosted({
  kind: 'openai-agents-api',
  packageName: 'openai',
  model: 'gpt-5-mini',
  open: openAgentsApi,
  cancel: 'agent.session.input.cancel',
});

export const managedAgents = hosted({
  kind: 'claude-managed-agents',
  packageName: '@anthropic-ai/sdk',
  model: 'claude-haiku-4-5',
  open: openManagedAgents,
  cancel: 'user.interrupt',
});

/** What the adapter keeps of a conversation for the next run. */
export const stateOf = (events: readonly RunEvent[]) => ofType(events, 'leg.ended').at(-1)?.state;
