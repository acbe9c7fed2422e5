import type { OperationName, ParsedInput, StreamedOperation } from '../../contract/index.ts';
import type { Exchange } from './exchange.ts';
import { followEvents } from './follow-events.ts';
import { followListener } from './follow-listener.ts';
import { followRun } from './follow-run.ts';
import { followLogs } from './log-events.ts';
import type { HttpParts } from './parts.ts';

type Follow<N extends OperationName> = (parts: HttpParts, exchange: Exchange, input: ParsedInput<N>) => Promise<void>;

const streams: { readonly [N in StreamedOperation]: Follow<N> } = {
  'functions.logs': followLogs,
  'events.stream': followEvents,
  'listeners.stream': followListener,
  'aiAgentRuns.show': followRun,
};

/** How an operation is followed as an event stream; undefined if it cannot be. */
export function streamOf(name: OperationName): Follow<OperationName> | undefined {
  return Object.hasOwn(streams, name) ? (streams[name as StreamedOperation] as Follow<OperationName>) : undefined;
}
