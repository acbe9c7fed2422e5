// A HarnessAgent of the AI SDK with the agent Pi, as its users write one. It knows nothing of this project.
import { HarnessAgent } from '@ai-sdk/harness/agent';
import { createPi } from '@ai-sdk/harness-pi';
import { createJustBashSandbox } from '@ai-sdk/sandbox-just-bash';
import { jsonSchema, tool } from 'ai';

const small = {
  id: 'small',
  name: 'small',
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 4_000,
};

/** @param baseUrl of an OpenAI-compatible endpoint */
export const createBot = (baseUrl) =>
  new HarnessAgent({
    harness: createPi({
      agentDir: `${import.meta.dirname}/pi`,
      providers: { lab: { name: 'lab', baseUrl, apiKey: 'none', api: 'openai-completions', models: [small] } },
    }),
    model: 'lab/small',
    sandbox: createJustBashSandbox({ cwd: '/work' }),
    instructions: 'You are the bot of Pi.',
    tools: {
      lookup: tool({
        description: 'Looks something up',
        inputSchema: jsonSchema({ type: 'object', properties: { what: { type: 'string' } } }),
        execute: async ({ what }) => `found ${what}`,
      }),
    },
  });
