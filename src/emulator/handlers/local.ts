import { type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { HandlersFor, MachineParts } from './parts.ts';

/** Times on the wire have a year of four digits. The clock runs on, so it stops short of the last one. */
const latestMs = Date.parse('9999-01-01T00:00:00Z');

type LocalOperations = 'clock.set' | 'clock.advance' | 'workspace.openUrl' | 'workspace.reset' | 'workspace.import';

export function localHandlers({
  workspace,
  clock,
  scheduler,
  openUrl,
  appSeed,
}: MachineParts): HandlersFor<LocalOperations> {
  const shown = (): Output<'clock.show'> => ({ now: toTimestamp(clock.now()), offsetMs: Math.round(clock.offsetMs) });
  /** Sets the clock. Every due job has run once when this resolves. The offset is stored first: if that fails, the clock is not changed. */
  const turn = async (offsetMs: number, apply: () => void) => {
    await workspace.clock.keepOffset(Math.round(offsetMs));
    apply();
    const fired = await scheduler.turned();
    return { ...shown(), fired };
  };
  return {
    async 'clock.set'({ now }) {
      if (now === 'system') return turn(0, () => clock.set(Date.now()));
      const at = Date.parse(now);
      refuseLater(at, 'now');
      return turn(clock.offsetMs + at - clock.now(), () => clock.set(at));
    },
    async 'clock.advance'({ ms }) {
      refuseLater(clock.now() + ms, 'ms');
      await scheduler.look();
      return turn(clock.offsetMs + ms, () => clock.advance(ms));
    },
    async 'workspace.openUrl'({ path }) {
      const url = openUrl(path);
      if (url === undefined) throw refusal('operation_not_allowed', 'This workspace serves no pages: start "fn dev"');
      return { url };
    },
    async 'workspace.reset'({ seed }) {
      await workspace.seed.reset(workspace.seed.beginning(seed ?? (await appSeed())));
      scheduler.reset();
      return {};
    },
    async 'workspace.import'({ seed }) {
      return { created: await workspace.seed.apply(seed) };
    },
  };
}

function refuseLater(ms: number, path: string): void {
  if (ms <= latestMs) return;
  throw refusal('input_invalid', `The workspace clock goes no further than ${toTimestamp(latestMs)}`, {
    errors: [{ path, message: `leads beyond ${toTimestamp(latestMs)}` }],
  });
}
