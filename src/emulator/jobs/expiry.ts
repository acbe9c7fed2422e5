import type { Job, Workspace } from '../../workspace/index.ts';
import type { JobWorker } from './runner.ts';

/** Ends what has lasted too long: `payload.of` says what it is, `payload.id` which. */
export function expiryWorker(workspace: Pick<Workspace, 'webhooks' | 'tools' | 'runs'>): JobWorker {
  const kinds: Readonly<Record<string, (job: Job, id: string) => Promise<unknown>>> = {
    endpoint: (job, id) => workspace.webhooks.expire(job, id),
    confirmation: (job, id) => workspace.tools.expire(job, id),
    run: (job, id) => workspace.runs.expire(job, id),
  };
  return {
    maxAtOnce: 4,
    async run(job) {
      const { of, id } = job.payload;
      const expire = kinds[String(of)];
      if (expire === undefined) throw new Error(`nothing expires that is called ${String(of)}`);
      await expire(job, String(id));
      return 'ended';
    },
  };
}
