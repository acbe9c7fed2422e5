import type { RunInput } from './types.ts';

/** What is known of customer and conversation as the end of the instructions. */
export function joinFacts({ facts = [], ...input }: RunInput): RunInput {
  if (facts.length === 0) return input;
  const lines = facts.map(({ description, value }) => `${description}: ${value}`);
  return { ...input, instructions: `${input.instructions}\n\n${lines.join('\n')}` };
}
