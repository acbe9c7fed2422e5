import type { Output } from '../../contract/index.ts';
import { type ModelCall, type Run, sentOf } from '../model/run-steps.ts';
import { useQuery } from './app.ts';

type Detail = Output<'aiAgentRuns.showModelCall'>;

/** What a call was sent and has answered, read again while it lasts; undefined without a call. */
export function useModelCall(run: Run, call: ModelCall | undefined) {
  return useQuery<'aiAgentRuns.showModelCall'>(
    'aiAgentRuns.showModelCall',
    call && { id: run.id, modelCallId: call.id },
    ({ type, data }) => call?.endedAt === null && type === 'live.run' && data['id'] === run.id,
  );
}

/** What the customer wrote last before the run, as its first model call was told; undefined until that is read. */
export function useAsked(run: Run): string | undefined {
  const detail: Detail | undefined = useModelCall(
    run,
    run.modelCalls.find(({ role }) => role !== 'fast'),
  )?.data.value;
  return detail?.messages.map(sentOf).findLast(({ role }) => role === 'user')?.text;
}
