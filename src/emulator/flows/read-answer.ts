import { schemaCheck } from '../../contract/function-config/index.ts';
import type { Output } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import type { FlowEvent, Json } from '../../flow/index.ts';

type Run = Output<'aiAgentRuns.show'>;
type Node = Flow['nodes'][string];

/**
 * What the end of a run of an AI agent means for the node that has started it.
 * @param seenUntil id of the last message that it has seen
 */
export async function readAnswer(run: Run, node: Node | undefined, seenUntil: string | undefined): Promise<FlowEvent> {
  const { status, text, error } = run;
  const answered = (outcome: string, output: Json): FlowEvent => ({ type: 'answered', outcome, output, seenUntil });
  // Only an agent has ways out for these: an AI node without an answer has failed.
  if (node?.type !== 'ai') {
    if (run.budgetExceeded !== null) return answered('budget', { text, runId: run.id, budget: run.budgetExceeded });
    if (status === 'handedOver') {
      const { teamId, reason, summary } = run.result;
      return answered('handedOver', { text, runId: run.id, teamId, reason, summary });
    }
  }
  if (status !== 'completed') {
    const { code, message } = error ?? { code: `run_${status}`, message: `The run ${run.id} is ${status}` };
    return { type: 'failed', error: { code, message } };
  }
  if (node?.type !== 'ai') return answered('completed', { text, runId: run.id });
  if (node.output === undefined) return answered('completed', { text });
  const value = jsonIn(text ?? '');
  if (value === undefined) return outputInvalid('it is no JSON');
  const check = await schemaCheck(node.output, 'The output of the node');
  const [problem] = check(value);
  return problem ? outputInvalid(`${problem.path} ${problem.message}`.trim()) : answered('completed', value);
}

const outputInvalid = (why: string): FlowEvent => ({
  type: 'failed',
  error: { code: 'output_invalid', message: `The answer of the model does not match the output of the node: ${why}` },
});

/** Models like to put JSON into a code block. */
function jsonIn(text: string): Json | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  try {
    return JSON.parse(fenced?.[1] ?? text) as Json;
  } catch {
    return undefined;
  }
}
