// An agent of the AI SDK, as its users write one. It knows nothing of this project.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, ToolLoopAgent, tool } from 'ai';

/** @param baseURL of an OpenAI-compatible endpoint */
export const createBot = (baseURL) =>
  new ToolLoopAgent({
    model: createOpenAICompatible({ name: 'lab', baseURL, includeUsage: true })('small'),
    instructions: 'You are the bot of the AI SDK.',
    tools: {
      lookup: tool({
        description: 'Looks something up',
        inputSchema: jsonSchema({ type: 'object', properties: { what: { type: 'string' } } }),
        execute: async ({ what }) => `found ${what}`,
      }),
    },
    maxRetries: 0,
    onError: () => {},
  });
