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
