import { type Output, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { HandlersFor, MachineParts } from './parts.ts';

type LocalOperations = 'clock.set' | 'clock.advance' | 'workspace.openUrl' | 'workspace.reset' | 'workspace.import';

export function localHandlers({
  workspace,
  clock,
  scheduler,
  openUrl,
  appSeed,
}: MachineParts): HandlersFor<LocalOperations> {
  const shown = (): Output<'clock.show'> => ({ now: toTimestamp(clock.now()), offsetMs: Math.round(clock.offsetMs) });
  /** Each job that fell due has run once when this resolves. */
  const turned = async () => {
    await workspace.clock.keepOffset(Math.round(clock.offsetMs));
    return scheduler.turned();
  };
  return {
    async 'clock.set'({ now }) {
      clock.set(now === 'system' ? Date.now() : Date.parse(now));
      const fired = await turned();
      return { ...shown(), fired };
    },
    async 'clock.advance'({ ms }) {
      await scheduler.look();
      clock.advance(ms);
      const fired = await turned();
      return { ...shown(), fired };
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
