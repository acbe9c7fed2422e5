import type { Door, Output } from '../contract/index.ts';
import type { LocalWorkspace } from '../emulator/index.ts';
import { LimitError } from '../std/index.ts';
import { Arrivals, maxWaitMs } from './arrivals.ts';
import { told } from './failure.ts';
import type { TestEvent, TestEvents } from './types.ts';

/** The events of a test's workspace. */
export function testEvents({ workspace }: Pick<LocalWorkspace, 'workspace'>, door: Door): TestEvents {
  const arrivals = new Arrivals<{ id: string; type: string }>(({ type }) => type);
  const came: string[] = [];
  workspace.events.subscribe(({ id, type }) => {
    came.push(type);
    arrivals.add({ id, type });
  });

  async function list(pattern?: string): Promise<TestEvent[]> {
    // Those of functions are written a little later than they happen.
    await workspace.invocations.flush();
    const events: TestEvent[] = [];
    let cursor: string | undefined;
    do {
      const page: Output<'events.list'> = await door('events.list', {
        limit: 200,
        ...(pattern !== undefined && { type: pattern }),
        ...(cursor !== undefined && { cursor }),
      });
      events.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return events;
  }

  async function waitFor(pattern: string): Promise<TestEvent> {
    await door('events.list', { type: pattern, limit: 1 }); // refuses a kind that there is not
    await workspace.invocations.flush();
    const { id } = await arrivals.next(pattern, () => {
      const message = `No ${pattern} event has happened within ${maxWaitMs / 1000} s`;
      return new LimitError('event_missing', message, {
        hint: `So far: ${[...new Set(came)].join(', ') || 'nothing'}.`,
      });
    });
    return door('events.show', { id });
  }

  return { list: (pattern) => told(() => list(pattern)), waitFor: (pattern) => told(() => waitFor(pattern)) };
}
