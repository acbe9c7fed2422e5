/** The kinds of AI harnesses: who runs the loop of an AI agent. */
export const harnessKinds = [
  'builtin',
  'claude-agent-sdk',
  'openai-agents-sdk',
  'agent-framework',
  'openai-agents-api',
  'claude-managed-agents',
  'custom',
] as const;

export type HarnessKind = (typeof harnessKinds)[number];

/** How the built-in kind speaks to models. `scripted` models need no key and no network. */
export const modelProviders = ['scripted', 'openai', 'openai-compatible', 'anthropic'] as const;

export type ModelProvider = (typeof modelProviders)[number];
