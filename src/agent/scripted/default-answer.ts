import { isRecord } from '../../std/index.ts';
import { handoverTool } from '../run-tools.ts';
import type { ScriptAnswer, ScriptView } from './answer.ts';

interface OfferedTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

/**
 * What `script:default` answers, which needs no script: it calls the one tool whose required arguments can all be read from the message, then
 * says what the tool gave; it hands over to a person when it is asked for one; else it says politely that it cannot help.
 */
export function answerByDefault(view: ScriptView, tools: readonly OfferedTool[]): ScriptAnswer {
  const last = view.results.at(-1);
  if (last !== undefined) return say(last.failed ? `That did not work: ${asText(last.value)}` : asText(last.value));
  const handover = tools.find(({ name }) => name === handoverTool.name);
  if (handover !== undefined && /\b(?:human|person|agent|someone)\b/i.test(view.lastUser)) {
    return {
      say: '',
      calls: [{ tool: handover.name, args: { reason: 'The customer asked for a person' } }],
      delayMs: 0,
      wordDelayMs: 0,
    };
  }
  const calls = tools.flatMap((tool) => {
    if (tool === handover) return [];
    const args = readArguments(tool.inputSchema, view.lastUser);
    return args === undefined ? [] : [{ tool: tool.name, args }];
  });
  const [call] = calls;
  if (calls.length === 1 && call) return { say: '', calls: [call], delayMs: 0, wordDelayMs: 0 };
  return say('Thank you for your message. I answer from a script and cannot help with that yet.');
}

const say = (text: string): ScriptAnswer => ({
  say: text === '' ? 'Done.' : text,
  calls: [],
  delayMs: 0,
  wordDelayMs: 0,
});

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isRecord(value)) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${typeof part === 'string' ? part : JSON.stringify(part)}`)
    .join(', ');
}

/**
 * Reads each required argument from a message: a text in quotes, a token with a digit in it (`A-1017`), a number, or one of the values
 * that the schema lists.
 * @returns undefined if one cannot be read, or if there is none
 */
function readArguments(schema: unknown, message: string): Record<string, unknown> | undefined {
  if (!isRecord(schema) || !Array.isArray(schema['required']) || schema['required'].length === 0) return undefined;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const tokens = message.match(/"[^"]+"|[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [];
  const free = new Set(tokens.keys());
  const args: Record<string, unknown> = {};
  for (const name of schema['required'].map(String)) {
    const property = properties[name];
    const found = [...free].find((i) => readToken(property, tokens[i] ?? '') !== undefined);
    if (found === undefined) return undefined;
    free.delete(found);
    args[name] = readToken(property, tokens[found] ?? '');
  }
  return args;
}

function readToken(property: unknown, token: string): unknown {
  if (!isRecord(property)) return undefined;
  const quoted = token.startsWith('"');
  const text = quoted ? token.slice(1, -1) : token.replace(/[.-]+$/, '');
  if (Array.isArray(property['enum'])) {
    return property['enum'].find((value) => String(value).toLowerCase() === text.toLowerCase());
  }
  if (property['type'] === 'string') return quoted || /\d/.test(text) ? text : undefined;
  if (property['type'] === 'integer') return /^\d+$/.test(text) ? Number(text) : undefined;
  if (property['type'] === 'number') return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  return undefined;
}
