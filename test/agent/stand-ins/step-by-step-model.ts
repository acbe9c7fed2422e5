import { openServer, type Server } from './server.ts';

export interface StepByStepModel extends Server {
  /** Awaited at each moment that the server sees: a request arrives, a part of an answer went out, the tool is at work. */
  onMoment: () => Promise<void>;
  /** How often the tool was at work. */
  readonly worked: () => number;
}

/** Moments of a run with this model, its tool called once. */
export const momentsOfRun = 20;

/** The path at which the tool `order_status` does its work. */
export const workPath = '/at-work';

/** An OpenAI-compatible model that says something, calls the tool `order_status`, and answers with more, part by part. */
export async function openStepByStepModel(): Promise<StepByStepModel> {
  let worked = 0;
  const server = await openServer(async ({ path, body }, response) => {
    if (path === workPath) worked++;
    await model.onMoment();
    if (path === workPath) return void response.end('shipped');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of body.messages.at(-1).role === 'tool' ? answer : question) {
      response.write(`data: ${JSON.stringify(part)}\n\n`);
      await model.onMoment();
    }
    response.end('data: [DONE]\n\n');
  });
  const model: StepByStepModel = { ...server, onMoment: async () => {}, worked: () => worked };
  return model;
}

const chunk = (delta: object, finish_reason: string | null = null) => {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  };
};
const usage = { id: 'c', model: 'm', choices: [], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } };
const words = (text: string) => text.split(/(?<= )/).map((content) => chunk({ role: 'assistant', content }));
const callPart = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] });

const question = [
  ...words('One moment.'),
  callPart({ id: 'call_1', type: 'function', function: { name: 'order_status', arguments: '' } }),
  callPart({ function: { arguments: '{"orderId":' } }),
  callPart({ function: { arguments: '"A-1"}' } }),
  chunk({}, 'tool_calls'),
  usage,
];
const answer = [...words('Your order A-1 has left our house this morning.'), chunk({}, 'stop'), usage];
