// Graphs of LangGraph, as its users write them. They know nothing of this project but how it gives its tools.
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const prompt = 'You are the bot of LangGraph.';

const lookup = tool(({ what }) => `found ${what}`, {
  name: 'lookup',
  description: 'Looks something up',
  schema: z.object({ what: z.string() }),
});

const openModel = (baseURL) =>
  new ChatOpenAI({ model: 'small', apiKey: 'none', maxRetries: 0, configuration: { baseURL } });

const toTool = ({ name, description, schema, execute }) => tool(execute, { name, description, schema });

/** @param baseURL of an OpenAI-compatible endpoint */
export const createBot =
  (baseURL) =>
  ({ tools }) =>
    createReactAgent({ llm: openModel(baseURL), tools: [lookup, ...tools.map(toTool)], prompt });

/** A graph with nodes of its own. */
export const createGraph =
  (baseURL) =>
  ({ tools: given }) => {
    const tools = [lookup, ...given.map(toTool)];
    const model = openModel(baseURL).bindTools(tools);
    const ask = async ({ messages }, config) => ({
      messages: [await model.invoke([{ role: 'system', content: prompt }, ...messages], config)],
    });
    return new StateGraph(MessagesAnnotation)
      .addNode('ask', ask)
      .addNode('work', new ToolNode(tools))
      .addEdge(START, 'ask')
      .addConditionalEdges('ask', ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? 'work' : END))
      .addEdge('work', 'ask')
      .compile();
  };
