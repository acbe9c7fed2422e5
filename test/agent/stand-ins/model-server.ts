import type { ServerResponse } from 'node:http';
import { type Brain, brain as commonBrain, type Decision, type Situation, tokens } from './brain.ts';
import { readClaudeRequest } from './claude-request.ts';
import { piecesOf } from './event-listeners.ts';
import { makeTrouble, openServer, type ServedRequest, type Server, sendForEver, type Trouble } from './server.ts';
import { readTold } from './told-situation.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of three APIs, and what is in them
type Body = any;

export type ModelApi = 'chat' | 'responses' | 'messages';

export interface ModelServerOptions {
  readonly brain?: Brain;
  /** @param number of the request, from 1 */
  readonly trouble?: (number: number, model: string) => Trouble | undefined;
  /** Whether it keeps to the number of tokens it is given. */
  readonly keepsToLimit?: boolean;
}

/**
 * A stand-in for a provider's endpoint: OpenAI-compatible chat completions, OpenAI responses, or Anthropic messages, streaming. `url` is
 * the base URL for a harness.
 */
export async function openModelServer(api: ModelApi, options: ModelServerOptions = {}): Promise<Server> {
  const { brain = commonBrain, trouble, keepsToLimit = true } = options;
  const format = formats[api];
  const server = await openServer((request, response, number) => {
    const wrong = trouble?.(number, request.body?.model);
    if (makeTrouble(wrong, response)) return;
    const path = request.path.replace(/\?.*$/, '');
    if (path.endsWith('/models')) return void response.end('{"data":[]}');
    if (!path.endsWith(format.path)) return void response.writeHead(404).end('{}');
    const decision = brain(format.read(request.body));
    const limit = (keepsToLimit ? format.limit(request.body) : undefined) ?? Number.POSITIVE_INFINITY;
    const text = decision.text?.slice(0, limit * 4);
    const cut = text !== decision.text;
    const said: Decision = cut ? { ...(text !== undefined && { text }) } : decision;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (data: unknown, event?: string) =>
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
    const made = { request, said, cut, send, response, model: String(request.body.model), wrong };
    format.write(made);
  });
  return { ...server, url: `${server.url}/v1` };
}

interface Made {
  readonly request: ServedRequest;
  readonly said: Decision;
  readonly cut: boolean;
  readonly send: (data: unknown, event?: string) => void;
  readonly response: ServerResponse;
  readonly model: string;
  readonly wrong: Trouble | undefined;
}

interface Format {
  readonly path: string;
  readonly read: (body: Body) => Situation;
  readonly limit: (body: Body) => number | undefined;
  readonly write: (made: Made) => void;
}

const inputOf = ({ request }: Made): number => tokens(request.text);
const outputOf = ({ said }: Made): number =>
  tokens(`${said.text ?? ''}${(said.calls ?? []).map((call) => argumentsOf(call)).join('')}`);
const argumentsOf = (call: NonNullable<Decision['calls']>[number]): string =>
  call.raw ?? JSON.stringify(call.args ?? {});
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : String(content ?? '');

let [nextCall, nextAnswer] = [1, 1];

/** The Claude Agent SDK has the tools of a server behind its name. */
const offeredName = ({ request }: Made, tool: string): string =>
  request.body.tools?.find(({ name }: Body) => name === `mcp__fn__${tool}`)?.name ?? tool;

const formats: Record<ModelApi, Format> = {
  chat: {
    path: '/chat/completions',
    limit: (body) => body.max_tokens ?? body.max_completion_tokens,
    read({ messages }) {
      const at = messages.findLastIndex(({ role }: Body) => role === 'user');
      const instructions = textOf(messages[0]?.role === 'system' ? messages[0].content : '');
      const told = readTold(textOf(messages[at]?.content), instructions);
      const results = messages.slice(at + 1).flatMap((m: Body) => (m.role === 'tool' ? [textOf(m.content)] : []));
      return { ...told, results: [...told.results, ...results] };
    },
    write(made) {
      const { said, cut, send, response, model, wrong } = made;
      const id = `chatcmpl-${nextAnswer++}`;
      const chunk = (delta: unknown, finish_reason: string | null = null) =>
        send({
          id,
          object: 'chat.completion.chunk',
          created: 1,
          model,
          choices: [{ index: 0, delta, finish_reason }],
        });
      for (const content of piecesOf(said.text)) chunk({ role: 'assistant', content });
      if (wrong === 'stall') return;
      if (wrong === 'cut') {
        chunk({ content: 'And' });
        return void setImmediate(() => response.socket?.destroy());
      }
      if (wrong === 'endless')
        return sendForEver(response, `data: {"choices":[{"index":0,"delta":{"content":"more and "}}]}\n\n`);
      for (const [index, call] of (said.calls ?? []).entries()) {
        const text = argumentsOf(call);
        chunk({
          // As of the API: the first part says whose it is.
          role: 'assistant',
          tool_calls: [
            { index, id: `call_${nextCall++}`, type: 'function', function: { name: call.tool, arguments: '' } },
          ],
        });
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, 5) } }] });
        chunk({ tool_calls: [{ index, function: { arguments: text.slice(5) } }] });
      }
      chunk({}, cut ? 'length' : said.calls ? 'tool_calls' : 'stop');
      const [prompt_tokens, completion_tokens] = [inputOf(made), outputOf(made)];
      send({
        id,
        model,
        choices: [],
        usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
      });
      response.end('data: [DONE]\n\n');
    },
  },
  responses: {
    path: '/responses',
    limit: (body) => body.max_output_tokens,
    read({ input }) {
      const at = input.findLastIndex((item: Body) => item.role === 'user');
      return {
        lastUser: textOf(input[at]?.content),
        results: input
          .slice(at + 1)
          .flatMap((item: Body) => (item.type === 'function_call_output' ? [textOf(item.output)] : [])),
        instructions: textOf(['system', 'developer'].includes(input[0]?.role) ? input[0].content : ''),
      };
    },
    write(made) {
      const { said, cut, send, response, model, wrong } = made;
      let sequence_number = 0;
      // The last event holds the whole answer again.
      const output: unknown[] = [];
      const emit = (type: string, data: Body) => {
        if (type === 'response.output_item.done') output.push(data.item);
        send({ type, sequence_number: sequence_number++, ...data }, type);
      };
      const head = { id: 'resp_1', object: 'response', created_at: 1, model, output };
      emit('response.created', { response: { ...head, status: 'in_progress' } });
      let output_index = 0;
      if (said.thought) {
        const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: null };
        const part = { item_id: item.id, output_index, summary_index: 0 };
        emit('response.output_item.added', { output_index, item });
        emit('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } });
        emit('response.reasoning_summary_text.delta', { ...part, delta: said.thought });
        const summary = [{ type: 'summary_text', text: said.thought }];
        emit('response.output_item.done', {
          output_index: output_index++,
          item: { ...item, summary, encrypted_content: 'sealed thought' },
        });
      }
      if (said.text) {
        const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
        emit('response.output_item.added', { output_index, item });
        emit('response.content_part.added', {
          item_id: 'msg_1',
          output_index,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        });
        for (const delta of piecesOf(said.text))
          emit('response.output_text.delta', { item_id: 'msg_1', output_index, content_index: 0, delta });
        if (wrong === 'stall') return;
        if (wrong === 'cut') return void setImmediate(() => response.socket?.destroy());
        if (wrong === 'endless') {
          const more = {
            type: 'response.output_text.delta',
            item_id: 'msg_1',
            output_index,
            content_index: 0,
            delta: 'more and ',
          };
          return sendForEver(response, `data: ${JSON.stringify(more)}\n\n`);
        }
        emit('response.output_text.done', { item_id: 'msg_1', output_index, content_index: 0, text: said.text });
        emit('response.output_item.done', {
          output_index: output_index++,
          item: { ...item, status: 'completed', content: [{ type: 'output_text', text: said.text, annotations: [] }] },
        });
      }
      for (const call of said.calls ?? []) {
        const text = argumentsOf(call);
        const item = {
          id: `fc_${nextCall}`,
          type: 'function_call',
          call_id: `call_${nextCall++}`,
          name: call.tool,
          status: 'in_progress',
          arguments: '',
        };
        emit('response.output_item.added', { output_index, item });
        emit('response.function_call_arguments.delta', { item_id: item.id, output_index, delta: text });
        emit('response.function_call_arguments.done', { item_id: item.id, output_index, arguments: text });
        emit('response.output_item.done', {
          output_index: output_index++,
          item: { ...item, status: 'completed', arguments: text },
        });
      }
      const [input_tokens, output_tokens] = [inputOf(made), outputOf(made)];
      const usage = {
        input_tokens,
        output_tokens,
        total_tokens: input_tokens + output_tokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      };
      if (cut) {
        emit('response.incomplete', {
          response: { ...head, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage },
        });
      } else emit('response.completed', { response: { ...head, status: 'completed', usage } });
      response.end();
    },
  },
  messages: {
    path: '/messages',
    limit: (body) => body.max_tokens,
    read: readClaudeRequest,
    write(made) {
      const { said, cut, send, response, model, wrong } = made;
      const emit = (type: string, data: object = {}) => send({ type, ...data }, type);
      emit('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          usage: { input_tokens: inputOf(made), output_tokens: 0 },
        },
      });
      let index = 0;
      if (said.thought) {
        emit('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
        emit('content_block_delta', { index, delta: { type: 'thinking_delta', thinking: said.thought } });
        emit('content_block_delta', { index, delta: { type: 'signature_delta', signature: 'sealed thought' } });
        emit('content_block_stop', { index: index++ });
      }
      if (said.text) {
        emit('content_block_start', { index, content_block: { type: 'text', text: '' } });
        for (const text of piecesOf(said.text))
          emit('content_block_delta', { index, delta: { type: 'text_delta', text } });
        if (wrong === 'stall') return;
        if (wrong === 'cut') return void setImmediate(() => response.socket?.destroy());
        if (wrong === 'endless') {
          const more = { type: 'content_block_delta', index, delta: { type: 'text_delta', text: 'more and ' } };
          return sendForEver(response, `event: content_block_delta\ndata: ${JSON.stringify(more)}\n\n`);
        }
        emit('content_block_stop', { index: index++ });
      }
      for (const call of said.calls ?? []) {
        emit('content_block_start', {
          index,
          content_block: { type: 'tool_use', id: `toolu_${nextCall++}`, name: offeredName(made, call.tool), input: {} },
        });
        emit('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: argumentsOf(call) } });
        emit('content_block_stop', { index: index++ });
      }
      const stop_reason = cut ? 'max_tokens' : said.calls ? 'tool_use' : 'end_turn';
      emit('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: outputOf(made) } });
      emit('message_stop');
      response.end();
    },
  },
};
