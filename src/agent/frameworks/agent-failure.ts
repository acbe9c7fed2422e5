import { codeOf, isRecord, messageOf, shortened } from '../../std/index.ts';
import { ModelFailure, readModelFailure } from '../loop/model-failure.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessConfig } from '../types.ts';

const networkCodes = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|UND_ERR_)/;

/** What an agent threw: a failure of its model, if it carries a status or a code of the network, else its own. */
export function toAgentFailure(error: unknown, { name, module }: HarnessConfig): RunFailure {
  if (error instanceof RunFailure) return error;
  for (const each of causesOf(error)) {
    const status = isRecord(each) ? (each['statusCode'] ?? each['status']) : undefined;
    if (typeof status === 'number' && status >= 400) {
      return readModelFailure(new ModelFailure(status, messageOf(each)), `The agent’s model`, []).failure;
    }
    const code = codeOf(each);
    if (code !== undefined && networkCodes.test(code)) {
      return new RunFailure('model_unavailable', `The agent’s model cannot be reached: ${code}`, {
        cause: error,
        hint: `Check the address that ${module} gives the model, or try again later.`,
      });
    }
  }
  return new RunFailure('harness_failed', `The agent fails: ${shortened(messageOf(error), 500)}`, {
    cause: error,
    hint: `See ${module}, which exports the agent of the harness ${name}.`,
  });
}

/** Libraries wrap what failed: in `cause`, or in the list of a retry. */
function* causesOf(error: unknown): Generator<unknown> {
  let each = error;
  for (let depth = 0; each !== undefined && depth < 8; depth++) {
    yield each;
    each = isRecord(each) ? (each['cause'] ?? each['lastError']) : undefined;
  }
}
