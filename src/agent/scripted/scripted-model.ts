import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isRecord, newId, wait } from '../../std/index.ts';
import { charactersPerToken } from '../budget/budget.ts';
import { ModelFailure } from '../loop/model-failure.ts';
import { answerByScript, type ScriptAnswer, type ScriptView } from './answer.ts';
import { answerByDefault } from './default-answer.ts';
import type { ModelScript } from './script.ts';

type Usage = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage'];

/**
 * A model that answers from a script, without a key and without a network. It keeps to `maxOutputTokens` and to the signal like any
 * other, and counts tokens by characters.
 */
export class ScriptedModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'scripted';
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly #script: ModelScript | undefined;
  readonly #charactersPerToken: number;

  /** @param script undefined: `script:default`, which reads arguments from the message */
  constructor(modelId: string, script: ModelScript | undefined) {
    this.modelId = modelId;
    this.#script = script;
    this.#charactersPerToken = isRecord(script?.usage) ? script.usage.charactersPerToken : charactersPerToken;
  }

  async doStream(options: LanguageModelV4CallOptions) {
    const view = viewOf(options.prompt);
    const answer = this.#answer(view, options);
    await wait(answer.delayMs, options.abortSignal);
    options.abortSignal?.throwIfAborted();
    if (answer.fail) throw new ModelFailure(answer.fail.status, answer.fail.message);
    return { stream: ReadableStream.from(this.#parts(answer, options)) };
  }

  async doGenerate(): Promise<never> {
    throw new Error('A scripted model streams');
  }

  #answer(view: ScriptView, { tools = [] }: LanguageModelV4CallOptions): ScriptAnswer {
    if (this.#script !== undefined) return answerByScript(this.#script, view);
    const functions = tools.filter((tool) => tool.type === 'function');
    return answerByDefault(view, functions);
  }

  async *#parts(answer: ScriptAnswer, options: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
    const most = (options.maxOutputTokens ?? Number.POSITIVE_INFINITY) * this.#charactersPerToken;
    const text = answer.say.slice(0, Math.floor(most));
    let characters = text.length;
    yield { type: 'stream-start', warnings: [] };
    yield { type: 'response-metadata', modelId: this.modelId };
    if (text !== '') {
      yield { type: 'text-start', id: 'text' };
      for (const delta of splitText(text)) {
        yield { type: 'text-delta', id: 'text', delta };
        if (answer.wordDelayMs > 0) await wait(answer.wordDelayMs, options.abortSignal);
        options.abortSignal?.throwIfAborted();
      }
      yield { type: 'text-end', id: 'text' };
    }
    let cut = text.length < answer.say.length;
    for (const { tool, args } of answer.calls) {
      const input = JSON.stringify(args);
      cut ||= characters + tool.length + input.length > most;
      // A call that is cut off is none: its arguments are no JSON.
      if (cut) break;
      characters += tool.length + input.length;
      yield { type: 'tool-call', toolCallId: newId('call'), toolName: tool, input };
    }
    const unified = cut ? 'length' : answer.calls.length > 0 ? 'tool-calls' : 'stop';
    yield { type: 'finish', finishReason: { unified, raw: unified }, usage: this.#usage(options, characters) };
  }

  #usage({ prompt, tools }: LanguageModelV4CallOptions, outputCharacters: number): Usage {
    const inputCharacters = JSON.stringify(prompt).length + (tools === undefined ? 0 : JSON.stringify(tools).length);
    const input = Math.ceil(inputCharacters / this.#charactersPerToken);
    const output = Math.ceil(outputCharacters / this.#charactersPerToken);
    return {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    };
  }
}

/** Word by word; a long text in some forty pieces. */
function splitText(text: string): string[] {
  const least = Math.floor(text.length / 40);
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    piece += word;
    if (piece.length < least) continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function viewOf(prompt: LanguageModelV4CallOptions['prompt']): ScriptView {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const earlierUser = prompt
    .slice(0, Math.max(0, at))
    .flatMap((message) => (message.role === 'user' ? [textOf(message)] : []));
  const user = prompt[at];
  const results = prompt.slice(at + 1).flatMap((message) => {
    if (message.role !== 'tool') return [];
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result') return [];
      const { output } = part;
      const text = 'value' in output && typeof output.value === 'string' ? output.value : '';
      return [{ tool: part.toolName, failed: output.type.startsWith('error'), value: parsed(text) }];
    });
  });
  return { lastUser: user?.role === 'user' ? textOf(user) : '', earlierUser, results };
}

function textOf({ content }: Extract<LanguageModelV4CallOptions['prompt'][number], { role: 'user' }>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A text that is no JSON is not tried: a failure costs more than a look. */
function parsed(text: string): unknown {
  if (!/^\s*[[{"\d-]|^(?:true|false|null)\s*$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
