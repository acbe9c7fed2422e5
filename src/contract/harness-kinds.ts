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

/** Kinds that load a package of the app, which runs outside the sandbox. */
export const packageKinds: readonly HarnessKind[] = [
  'claude-agent-sdk',
  'openai-agents-sdk',
  'agent-framework',
  'openai-agents-api',
  'claude-managed-agents',
];

/** Kinds that were tried with stand-ins of the vendor's endpoint only, after the types of his SDK. */
const unverifiedKinds: readonly string[] = ['openai-agents-api', 'claude-managed-agents'] satisfies HarnessKind[];

/** What must be said of a kind wherever it is shown; null if nothing must. */
export const harnessNote = (kind: string): string | null =>
  unverifiedKinds.includes(kind) ? 'not verified against the live service' : null;

/** How the built-in kind speaks to models. `scripted` models need no key and no network. */
export const modelProviders = ['scripted', 'openai', 'openai-compatible', 'anthropic'] as const;

export type ModelProvider = (typeof modelProviders)[number];
