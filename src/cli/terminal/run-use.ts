import type { Output } from '../../contract/index.ts';

type Use = Output<'aiAgentRuns.list'>['items'][number]['usage'];

/** `2 model calls`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The calls of a run of an AI agent. */
export const callsText = ({ modelCalls, toolCalls }: Use): string =>
  `${counted(modelCalls, 'model call')}, ${counted(toolCalls, 'tool call')}`;

/** Its tokens, and what they cost as far as prices are known. */
export function tokensText({ inputTokens, outputTokens, costUsd }: Use): string {
  return `${inputTokens + outputTokens} tokens${costUsd > 0 ? `, $${costUsd.toFixed(4)}` : ''}`;
}
