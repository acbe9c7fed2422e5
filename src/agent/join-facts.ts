import type { RunInput } from './types.ts';

/** What is known of customer and conversation as the end of the instructions, a line each: a name that a customer chose makes no second one. */
export function joinFacts({ facts = [], ...input }: RunInput): RunInput {
  if (facts.length === 0) return input;
  const lines = facts.map(
    ({ description, value }) => `${description}: ${value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')}`,
  );
  return { ...input, instructions: `${input.instructions}\n\n${lines.join('\n')}` };
}
