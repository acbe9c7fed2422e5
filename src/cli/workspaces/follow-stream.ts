import { type Client, eventsOf, type ServerEvent, TransportFailure } from '../../client/index.ts';
import type { Input, StreamedOperation } from '../../contract/index.ts';
import { messageOf, UnreachableError, WorkspaceError, wait } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { Reconnecting } from './reconnecting.ts';
import { watchSilence } from './watch-silence.ts';

export interface Following<N extends StreamedOperation> {
  readonly operation: N;
  readonly input: Input<N>;
  /** Where to begin: a cursor. */
  readonly from?: string | undefined;
  /** The workspace knows how far the reader has got, so nothing is missing after a cut. */
  readonly isKept?: boolean;
  /** The next event is read when this one is shown. */
  readonly show: (event: ServerEvent) => Promise<void> | void;
  /** Errors after which it is no use to connect again. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Stops following, besides Ctrl-C. */
  readonly stop?: AbortSignal;
  /** Where the workspace is when the connection is broken; for one that may have moved meanwhile. */
  readonly findAgain?: () => Promise<Client | undefined>;
  /** Each time that there is a connection. */
  readonly onOpen?: () => void;
}

/** Follows an event stream until Ctrl-C, or until nobody reads standard output any more; a broken connection goes on where it was. */
export async function followStream<N extends StreamedOperation>(
  context: Context,
  given: Client,
  { operation, input, from, isKept = false, show, isFinal = () => false, stop: asked, findAgain, onOpen }: Following<N>,
): Promise<void> {
  const { io } = context;
  const stop = AbortSignal.any([context.signal, io.closed, ...(asked ? [asked] : [])]);
  let client = given;
  let lastEventId: string | undefined;
  const again = new Reconnecting();
  let brokenAt: number | undefined;
  let hasStood = false;
  while (!stop.aborted) {
    let openedAt: number | undefined;
    const dead = new AbortController();
    try {
      const start = { ...input, ...(from !== undefined && { cursor: from }) };
      const signal = AbortSignal.any([stop, dead.signal]);
      const stream = await client.stream(operation, start, { lastEventId: isKept ? undefined : lastEventId, signal });
      openedAt = context.clock.monotonic();
      hasStood = true;
      if (brokenAt !== undefined) {
        const seconds = Math.round((openedAt - brokenAt) / 1_000);
        // Without a place to go on from there is only what comes from now on.
        io.err(
          (lastEventId ?? from) === undefined && !isKept
            ? `connected again after ${seconds} s; lines of that time are missing here`
            : `connected again after ${seconds} s`,
        );
        brokenAt = undefined;
      }
      onOpen?.();
      for await (const event of eventsOf(watchSilence(stream, () => dead.abort()))) {
        again.came();
        if (event.id !== '') lastEventId = event.id;
        await show(event);
        if (stop.aborted) return;
      }
    } catch (error) {
      if (stop.aborted) return;
      const passing =
        dead.signal.aborted ||
        error instanceof TransportFailure ||
        (error instanceof UnreachableError && !isFinal(error)) ||
        (error instanceof WorkspaceError && error.exitCode === 7);
      // A server that has never sent a stream will not start to; later, a proxy may be answering while the workspace is away.
      if (!passing || (isStranger(error) && !hasStood)) throw error;
      again.broke(openedAt === undefined ? undefined : context.clock.monotonic() - openedAt);
      if (again.isHopeless)
        throw new UnreachableError('connection_lost', `The workspace did not come back: ${messageOf(error)}`, {
          cause: error,
        });
      if (brokenAt === undefined) {
        brokenAt = context.clock.monotonic();
        const why = dead.signal.aborted
          ? ' (silent for too long)'
          : error instanceof TransportFailure
            ? ''
            : ` (${messageOf(error)})`;
        io.err(`connection lost${why}; connecting again …`);
      }
      client = (await findAgain?.()) ?? client;
    }
    // After silence, as after a night's sleep, there is no reason to wait.
    if (!stop.aborted && !dead.signal.aborted) await wait(again.pauseMs, stop);
  }
}

/** Whether something else than a workspace answered. */
const isStranger = (error: unknown): boolean =>
  error instanceof UnreachableError && (error.code === 'not_a_workspace' || error.code === 'redirected');
