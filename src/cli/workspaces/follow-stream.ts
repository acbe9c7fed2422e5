import { type Client, eventsOf, type ServerEvent, TransportFailure } from '../../client/index.ts';
import type { Input, StreamedOperation } from '../../contract/index.ts';
import { UnreachableError, WorkspaceError, wait } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { Reconnecting } from './reconnecting.ts';

export interface Following<N extends StreamedOperation> {
  readonly operation: N;
  readonly input: Input<N>;
  /** Where to begin: a cursor. */
  readonly from?: string | undefined;
  /** @returns true if this was the last one */
  readonly show: (event: ServerEvent) => unknown;
  /** Errors after which it is no use to connect again. */
  readonly isFinal?: (error: unknown) => boolean;
}

/** Follows an event stream until its last event or Ctrl-C, or until nobody reads standard output any more; a broken connection goes on where it was. */
export async function followStream<N extends StreamedOperation>(
  context: Context,
  client: Client,
  { operation, input, from, show, isFinal = () => false }: Following<N>,
): Promise<void> {
  const { io } = context;
  const stop = AbortSignal.any([context.signal, io.closed]);
  let lastEventId: string | undefined;
  const again = new Reconnecting();
  let brokenAt: number | undefined;
  let hasStood = false;
  while (!stop.aborted) {
    let openedAt: number | undefined;
    try {
      const start = { ...input, ...(from !== undefined && { cursor: from }) };
      const stream = await client.stream(operation, start, { lastEventId, signal: stop });
      openedAt = context.clock.monotonic();
      hasStood = true;
      if (brokenAt !== undefined) {
        const seconds = Math.round((openedAt - brokenAt) / 1_000);
        // Without a place to go on from there is only what comes from now on.
        io.err(
          (lastEventId ?? from) === undefined
            ? `connected again after ${seconds} s; lines of that time are missing here`
            : `connected again after ${seconds} s`,
        );
        brokenAt = undefined;
      }
      for await (const event of eventsOf(stream)) {
        again.came();
        if (event.id !== '') lastEventId = event.id;
        if (show(event) === true) return;
      }
    } catch (error) {
      if (stop.aborted) return;
      const passing =
        error instanceof TransportFailure ||
        (error instanceof UnreachableError && !isFinal(error)) ||
        (error instanceof WorkspaceError && error.exitCode === 7);
      // A server that has never sent a stream will not start to; later, a proxy may be answering while the workspace is away.
      if (!passing || (isStranger(error) && !hasStood)) throw error;
      again.broke(openedAt === undefined ? undefined : context.clock.monotonic() - openedAt);
      if (again.isHopeless)
        throw new UnreachableError('connection_lost', `The workspace did not come back: ${error.message}`, {
          cause: error,
        });
      if (brokenAt === undefined) {
        brokenAt = context.clock.monotonic();
        const why = error instanceof TransportFailure ? '' : ` (${error.message})`;
        io.err(`connection lost${why}; connecting again …`);
      }
    }
    if (!stop.aborted) await wait(again.pauseMs, stop);
  }
}

/** Whether something else than a workspace answered. */
const isStranger = (error: unknown): boolean =>
  error instanceof UnreachableError && (error.code === 'not_a_workspace' || error.code === 'redirected');
