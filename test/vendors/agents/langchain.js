// An agent of LangChain, as its users write one. It knows nothing of this project.
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

/** @param baseURL of an OpenAI-compatible endpoint */
export const createBot = (baseURL) =>
  createAgent({
    model: new ChatOpenAI({ model: 'small', apiKey: 'none', maxRetries: 0, configuration: { baseURL } }),
    systemPrompt: 'You are the bot of LangChain.',
    tools: [
      tool(({ what }) => `found ${what}`, {
        name: 'lookup',
        description: 'Looks something up',
        schema: z.object({ what: z.string() }),
      }),
    ],
  });
