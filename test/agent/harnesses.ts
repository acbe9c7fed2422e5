import type { HarnessConfig, RunEvent } from '../../src/agent/index.ts';
import { Gate } from './a-run.ts';
import { frameworks } from './frameworks.ts';
import { openAgentServer, type ReplyForm } from './stand-ins/agent-server.ts';
import { openAgentsApi } from './stand-ins/agents-api-server.ts';
import type { Brain } from './stand-ins/brain.ts';
import { openManagedAgents } from './stand-ins/managed-agents-server.ts';
import { type ModelApi, openModelServer } from './stand-ins/model-server.ts';
import type { Server, Trouble } from './stand-ins/server.ts';
import { appWithPackages, missingOf } from './vendor-apps.ts';

export interface OpenHarness extends AsyncDisposable {
  readonly harness: HarnessConfig;
  readonly models: { readonly main: string; readonly fallback: string };
  /** Undefined where nothing listens: the scripted model. */
  readonly server: Server | undefined;
  readonly gate: () => Gate;
}

export interface HarnessUnderTest {
  readonly title: string;
  /** Why it cannot be tried here: a package of a vendor that is not installed. */
  readonly missing?: string | undefined;
  /** Whether a fallback model is ours to choose. */
  readonly hasFallback: boolean;
  /** Whether its model calls are known. */
  readonly tellsModelCalls: boolean;
  open(options?: {
    trouble?: (number: number, model: string) => Trouble | undefined;
    brain?: Brain;
  }): Promise<OpenHarness>;
}

function overHttp(
  title: string,
  api: ModelApi,
  provider: 'openai' | 'openai-compatible' | 'anthropic',
): HarnessUnderTest {
  return {
    title,
    hasFallback: true,
    tellsModelCalls: true,
    async open(options = {}) {
      const server = await openModelServer(api, options);
      return {
        harness: { kind: 'builtin', name: title, provider, baseUrl: server.url, apiKey: 'sk-secret-of-the-test' },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

/** The brain of the stand-ins (`stand-ins/brain.ts`) as a script. */
export const script = {
  rules: [
    { when: { lastUser: { contains: 'hello' } }, say: 'Good morning, Ann.' },
    {
      when: { lastUser: { contains: 'human' } },
      say: 'I hand you over.',
      call: [{ tool: 'handover_to_human', args: { reason: 'asked', team: 'support' } }],
    },
    { when: { lastUser: { contains: 'for ever' } }, call: [{ tool: 'order_status', args: { orderId: 'A17' } }] },
    { when: { lastUser: { contains: 'both' }, toolResults: { min: 1 } }, say: 'Both: A17 shipped and B18 shipped' },
    {
      when: { lastUser: { contains: 'both' } },
      call: [
        { tool: 'order_status', args: { orderId: 'A17' } },
        { tool: 'order_status', args: { orderId: 'B18' } },
      ],
    },
    { when: { lastUser: { contains: 'cancel the order' }, toolResults: { min: 1 } }, say: 'Done: {{lastToolResult}}' },
    {
      when: { lastUser: { contains: 'cancel the order' } },
      call: [{ tool: 'cancel_order', args: { orderId: 'A17' } }],
    },
    { when: { lastUser: { contains: 'order' }, toolResults: { min: 1 } }, say: 'Your order: {{lastToolResult}}' },
    {
      when: { lastUser: { matches: 'order (?<id>\\w+)' } },
      say: 'Let me look.',
      call: [{ tool: 'order_status', args: { orderId: '$id' } }],
    },
    { when: { lastUser: { contains: 'unknown tool' } }, call: [{ tool: 'no_such_tool' }] },
    { when: { lastUser: { contains: 'silence' } }, say: '' },
  ],
};

const scripted: HarnessUnderTest = {
  title: 'the scripted model',
  hasFallback: true,
  tellsModelCalls: true,
  async open({ trouble } = {}) {
    const wrong = trouble?.(1, 'big');
    const failing = { rules: [], default: { fail: { status: typeof wrong === 'object' ? wrong.status : 503 } } };
    return {
      harness: { kind: 'builtin', name: 'scripted' },
      models: { main: wrong === undefined ? 'script:s' : 'script:failing', fallback: 'script:s' },
      server: undefined,
      gate: () => new Gate({ s: script, failing }),
      async [Symbol.asyncDispose]() {},
    };
  },
};

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function custom(title: string, form: ReplyForm, signed: boolean, tellsModelCalls = true): HarnessUnderTest {
  return {
    title: `AG-UI ${title}`,
    hasFallback: false,
    tellsModelCalls: form !== 'short' && tellsModelCalls,
    async open({ trouble, brain } = {}) {
      const server = await openAgentServer({
        form,
        tellsModelCalls,
        ...(signed && { secret }),
        ...(brain && { brain }),
        ...(trouble && { trouble: (number: number) => trouble(number, '') }),
      });
      return {
        harness: { kind: 'custom', name: 'mine', baseUrl: server.url, secrets: signed ? [secret] : [] },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

/** The Claude Agent SDK is a folder of its own: two programs of some 370 MB each are not installed for every test. */
export const claudeSdk = (name = '@anthropic-ai/claude-agent-sdk') => ({
  '@anthropic-ai/claude-agent-sdk': `../claude/node_modules/${name}`,
});
export const missingClaude = missingOf(claudeSdk(), 'npm run test:claude');

function claudeAgentSdk(title: string, packageName?: string): HarnessUnderTest {
  return {
    title: `Claude Agent SDK, ${title}`,
    missing: missingClaude,
    hasFallback: true,
    tellsModelCalls: true,
    async open(options = {}) {
      const server = await openModelServer('messages', options);
      return {
        harness: {
          kind: 'claude-agent-sdk',
          name: 'claude',
          baseUrl: server.url,
          apiKey: 'sk-secret-of-the-test',
          packages: { folder: appWithPackages(claudeSdk(packageName)), trusted: true },
        },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

function agentsSdk(title: string, api: ModelApi, packageName: string): HarnessUnderTest {
  return {
    title: `OpenAI Agents SDK, ${title}`,
    missing: missingOf({ package: packageName }),
    hasFallback: true,
    tellsModelCalls: true,
    async open(options = {}) {
      const server = await openModelServer(api, options);
      return {
        harness: {
          kind: 'openai-agents-sdk',
          name: 'sdk',
          provider: api === 'chat' ? 'openai-compatible' : 'openai',
          baseUrl: server.url,
          apiKey: 'sk-secret-of-the-test',
          packages: { folder: appWithPackages({ '@openai/agents': packageName }), trusted: true },
        },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

function agentsApi(title: string, packageName: string): HarnessUnderTest {
  return {
    title: `OpenAI Agents API${title}`,
    missing: missingOf({ package: packageName }),
    hasFallback: false,
    tellsModelCalls: false,
    async open({ brain, trouble } = {}) {
      const server = await openAgentsApi({
        ...(brain && { brain }),
        ...(trouble && { trouble: (number) => trouble(number, '') }),
      });
      return {
        harness: {
          kind: 'openai-agents-api',
          name: 'hosted',
          baseUrl: server.url,
          apiKey: 'sk-secret-of-the-test',
          packages: { folder: appWithPackages({ openai: packageName }), trusted: true },
        },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

function managedAgents(title: string, packageName: string): HarnessUnderTest {
  return {
    title: `Claude Managed Agents${title}`,
    missing: missingOf({ package: packageName }),
    hasFallback: false,
    tellsModelCalls: true,
    async open({ brain, trouble } = {}) {
      const server = await openManagedAgents({
        ...(brain && { brain }),
        ...(trouble && { trouble: (number) => trouble(number, '') }),
      });
      return {
        harness: {
          kind: 'claude-managed-agents',
          name: 'managed',
          baseUrl: server.url,
          apiKey: 'sk-secret-of-the-test',
          packages: { folder: appWithPackages({ '@anthropic-ai/sdk': packageName }), trusted: true },
        },
        models: { main: 'big', fallback: 'small' },
        server,
        gate: () => new Gate(),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

export const harnesses: readonly HarnessUnderTest[] = [
  scripted,
  overHttp('OpenAI-compatible chat', 'chat', 'openai-compatible'),
  overHttp('OpenAI responses', 'responses', 'openai'),
  overHttp('Anthropic messages', 'messages', 'anthropic'),
  agentsSdk('responses', 'responses', '@openai/agents'),
  agentsSdk('chat', 'chat', '@openai/agents'),
  agentsSdk('chat of the lowest version', 'chat', 'openai-agents-lowest'),
  agentsApi('', 'openai'),
  agentsApi(' of the lowest version', 'openai-lowest'),
  managedAgents('', '@anthropic-ai/sdk'),
  managedAgents(' of the lowest version', 'anthropic-lowest'),
  claudeAgentSdk('newest version'),
  claudeAgentSdk('lowest version', 'claude-agent-sdk-lowest'),
  ...frameworks,
  custom('stream, signed', 'stream', true),
  custom('stream without a signature', 'stream', false),
  custom('stream of chunks', 'chunks', true),
  custom('stream that tells of no model calls', 'stream', true, false),
  custom('JSON events, signed', 'json', true),
  custom('JSON short form', 'short', true),
];

/**
 * Events as lines, without ids, times and numbers of tokens: what must be equal for every kind. Of those that keep their model calls to
 * themselves, nothing is said about them.
 */
export function outlineOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case 'modelCall.started':
        return [`ask ${event.role}`];
      case 'modelCall.ended':
        return [`${event.role} ${event.error?.code ?? event.finishReason}`];
      case 'message':
        return [`say ${event.text}${event.partial ? ' (cut)' : ''}`];
      case 'toolCall.requested':
        return [`call ${event.call.name} ${JSON.stringify(event.call.arguments)}`];
      case 'toolCall.ended':
        return [`${event.result.status} ${event.result.content}`];
      case 'handover':
        return [`hand over to ${event.team}: ${event.reason}`];
      case 'interrupt':
        return event.interrupts.map(({ kind, message }) => `wait for ${kind}: ${message}`);
      case 'error':
        return [`fail ${event.code}`];
      case 'done':
        return [event.status];
      default:
        return [];
    }
  });
}
