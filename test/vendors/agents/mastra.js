// An agent of Mastra, as its users write one. It knows nothing of this project.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

/** @param url of an OpenAI-compatible endpoint */
export const createBot = (url) =>
  new Agent({
    id: 'bot',
    name: 'bot',
    instructions: 'You are the bot of Mastra.',
    model: { id: 'lab/small', url, apiKey: 'none' },
    maxRetries: 0,
    tools: {
      lookup: createTool({
        id: 'lookup',
        description: 'Looks something up',
        inputSchema: z.object({ what: z.string() }),
        execute: async ({ what }) => `found ${what}`,
      }),
    },
  });
