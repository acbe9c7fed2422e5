// A HarnessAgent of the AI SDK, as its users write one: with a harness and a sandbox of their own. It knows nothing of this project.
import { HarnessAgent } from '@ai-sdk/harness/agent';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool } from 'ai';

/** @param baseURL of an OpenAI-compatible endpoint */
export const createBot = (baseURL) =>
  new HarnessAgent({
    harness: new SmallHarness(createOpenAICompatible({ name: 'lab', baseURL, includeUsage: true })('small')),
    sandbox,
    instructions: 'You are the bot of HarnessAgent.',
    tools: {
      lookup: tool({
        description: 'Looks something up',
        inputSchema: jsonSchema({ type: 'object', properties: { what: { type: 'string' } } }),
        execute: async ({ what }) => `found ${what}`,
      }),
    },
  });

/** Where the loop of `SmallHarness` would run its commands, if it had any. */
const sandbox = {
  specificationVersion: 'harness-sandbox-v1',
  providerId: 'small',
  async createSession() {
    const session = {
      id: 'small',
      defaultWorkingDirectory: '/work',
      ports: [],
      run: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
      restricted: () => session,
      stop: async () => {},
      destroy: async () => {},
    };
    return session;
  },
};

/** The least that is a harness: a loop around one model, with the tools of its host and none of its own. */
class SmallHarness {
  specificationVersion = 'harness-v1';
  harnessId = 'small';
  builtinTools = {};

  constructor(model) {
    this.model = model;
  }

  async doStart(start) {
    return {
      sessionId: start.sessionId,
      isResume: false,
      doPromptTurn: async (turn) => {
        const results = new Map();
        return {
          done: this.answer(turn, results),
          submitToolResult: async ({ toolCallId, output }) => resultOf(results, toolCallId).resolve(output),
        };
      },
      doSuspendTurn: async () => {},
      doDestroy: async () => {},
    };
  }

  async answer({ prompt, instructions, tools, emit, abortSignal }, results) {
    const messages = [typeof prompt === 'string' ? { role: 'user', content: prompt } : prompt];
    emit({ type: 'stream-start', modelId: this.model.modelId });
    for (;;) {
      const calls = [];
      const answer = streamText({
        model: this.model,
        instructions,
        messages,
        tools: Object.fromEntries(
          tools.map(({ name, description, inputSchema }) => [
            name,
            tool({ description, inputSchema: jsonSchema(inputSchema) }),
          ]),
        ),
        abortSignal,
        maxRetries: 0,
        onError: () => {},
      });
      for await (const part of answer.fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-start' || part.type === 'text-end') emit({ type: part.type, id: part.id });
        if (part.type === 'text-delta') emit({ type: 'text-delta', id: part.id, delta: part.text });
        if (part.type === 'tool-call') calls.push(part);
      }
      for (const { toolCallId, toolName, input } of calls) {
        const text = typeof input === 'string' ? input : JSON.stringify(input);
        emit({ type: 'tool-call', toolCallId, toolName, input: text, stepToolCallCount: calls.length });
      }
      const outputs = await Promise.all(
        calls.map(async ({ toolCallId, toolName }) => {
          const result = await resultOf(results, toolCallId).promise;
          emit({ type: 'tool-result', toolCallId, toolName, result });
          return result;
        }),
      );
      const [finishReason, usage] = [{ unified: await answer.finishReason }, toUsage(await answer.usage)];
      emit({ type: 'finish-step', finishReason, usage });
      if (calls.length === 0) return emit({ type: 'finish', finishReason, totalUsage: usage });
      const told = calls.map(({ toolCallId, toolName }, i) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: 'text', value: String(outputs[i]) },
      }));
      messages.push(...(await answer.response).messages, { role: 'tool', content: told });
    }
  }
}

function resultOf(results, id) {
  if (!results.has(id)) results.set(id, Promise.withResolvers());
  return results.get(id);
}

const toUsage = ({ inputTokens, outputTokens }) => ({
  inputTokens: { total: inputTokens },
  outputTokens: { total: outputTokens },
});
