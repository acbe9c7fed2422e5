import { type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

/** Times on the wire have a year of four digits. The clock runs on, so it stops short of the last one. */
const latestMs = Date.parse('9999-01-01T00:00:00Z');

export function clockHandlers({ workspace, clock, scheduler, runner }: MachineParts): HandlersOf<'clock'> {
  const shown = (): Output<'clock.show'> => ({ now: toTimestamp(clock.now()), offsetMs: Math.round(clock.offsetMs) });
  /** The offset is stored first: if that fails, the clock is not changed. */
  const setTo = async (ms: number) => {
    await workspace.clock.keepOffset(Math.round(clock.offsetMs + ms - clock.now()));
    clock.set(ms);
  };
  const setToSystem = async () => {
    await workspace.clock.keepOffset(0);
    clock.set(Date.now());
  };
  const advanceBy = async (ms: number) => {
    if (ms <= 0) return;
    await workspace.clock.keepOffset(Math.round(clock.offsetMs + ms));
    clock.advance(ms);
  };
  /**
   * Turns the clock, from due time to due time: what is due has run when this resolves.
   * @param apply sets the clock to the target itself
   */
  const turn = async (targetMs: number, apply: () => Promise<void>) => {
    const before = scheduler.fired;
    const by = targetMs - clock.now();
    if (by < 0) {
      await apply();
      await workspace.jobs.shift(by);
      await scheduler.planAnew();
      return { ...shown(), fired: 0 };
    }
    await scheduler.prepareJump(targetMs);
    const { stillRunning } = await runner.turn(targetMs, (ms) =>
      ms === targetMs ? apply() : advanceBy(ms - clock.now()),
    );
    return { ...shown(), fired: scheduler.fired - before, ...(stillRunning && { stillRunning }) };
  };
  return {
    async 'clock.set'({ now }) {
      if (now === 'system') return turn(Date.now(), setToSystem);
      const at = Date.parse(now);
      refuseLater(at, 'now');
      return turn(at, () => setTo(at));
    },
    async 'clock.advance'({ ms }) {
      const target = clock.now() + ms;
      refuseLater(target, 'ms');
      await scheduler.look();
      const offsetMs = clock.offsetMs + ms;
      // A running clock is ahead by exactly as much as was asked for, however long the steps in between took.
      const left = () => (clock.stoppedAtMs === undefined ? offsetMs - clock.offsetMs : target - clock.now());
      return turn(target, () => advanceBy(left()));
    },
  };
}

function refuseLater(ms: number, path: string): void {
  if (ms <= latestMs) return;
  throw refusal('input_invalid', `The workspace clock goes no further than ${toTimestamp(latestMs)}`, {
    errors: [{ path, message: `leads beyond ${toTimestamp(latestMs)}` }],
  });
}
