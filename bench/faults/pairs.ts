/**
 * Pairs of deploys at the same moment, one of an older commit, one of a newer: afterwards the newer must be live, or the older one alone when
 * the newer was refused as a conflict – never the older over the newer. `node bench/faults/pairs.ts [pairs = 200] [seed]`
 */
import { fileURLToPath } from 'node:url';
import { openClient } from '../../src/client/index.ts';
import { type CommitInfo, deploy, deployFileOf } from '../../src/deploy/index.ts';
import { FnError } from '../../src/std/index.ts';
import { elsewhere, forgetful } from '../../test/deploy/elsewhere.ts';
import { Tally } from './phases.ts';
import { seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface PairFaults {
  readonly pairs: number;
  /** Deploys that were refused, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Which of the two was live at the end. */
  readonly live: Readonly<Record<string, number>>;
  /** The older one was live although the newer had been put live before it. */
  readonly olderOverNewer: number;
}

const sha = (n: number) => n.toString(16).padStart(40, '0');

export async function deployPairs(pairs: number, seed: number): Promise<PairFaults> {
  const remote = await elsewhere();
  const random = seeded(seed);
  const [refused, lives] = [new Tally(), new Tally()];
  let olderOverNewer = 0;
  try {
    for (let pair = 1; pair <= pairs; pair++) {
      const app = `pair-${pair}`;
      const put = async (n: number): Promise<string> => {
        const client = openClient({ baseUrl: remote.url, slug: remote.slug, token: remote.token, env: {} });
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
        const commit: CommitInfo = {
          commit: {
            sha: sha(pair * 10 + n),
            committedAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
            ancestors: n === 2 ? [sha(pair * 10 + 1)] : [],
          },
          dirty: false,
        };
        const code = `(async (register) => { register({ config: {}, default: async () => (${n}) }); })`;
        try {
          const report = await deploy({
            client,
            app,
            functions: async () => [
              deployFileOf({
                path: 'a.js',
                type: 'server-side-method',
                config: { type: 'server-side-method', expose: false },
                code,
              }),
            ],
            state: forgetful(remote.url, app),
            prune: false,
            dryRun: false,
            force: false,
            allowOlder: false,
            commit: Promise.resolve(commit),
            secrets: [],
          });
          return report.outcome;
        } catch (error) {
          refused.add(error instanceof FnError ? error.code : String(error));
          return 'refused';
        }
      };
      const [, newer] = await Promise.all([put(1), put(2)]);
      const door = openClient({ baseUrl: remote.url, slug: remote.slug, token: remote.token, env: {} });
      const live = await door('deployments.show', { app, id: 'live' });
      lives.add(live.commit?.sha === sha(pair * 10 + 2) ? 'newer' : 'older');
      if (newer === 'done' && live.commit?.sha !== sha(pair * 10 + 2)) olderOverNewer++;
    }
  } finally {
    await remote.close();
  }
  return { pairs, refused: refused.counts, live: lives.counts, olderOverNewer };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const faults = await deployPairs(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? Date.now()));
    console.log(JSON.stringify(faults, null, 2));
    return faults.olderOverNewer === 0 ? 0 : 1;
  });
}
