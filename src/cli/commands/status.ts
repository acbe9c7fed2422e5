import { byWhom, commitOf, DeployState, driftOf, readLive, replacedBy } from '../../deploy/index.ts';
import { defineCommand } from '../command.ts';
import { workspaceKey } from '../workspaces/choose-workspace.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description:
    'Shows which version of this app is live, what it replaced, whether somebody else has deployed since this folder last did (drift), and whether a deploy was interrupted. Builds nothing.',
  examples: [{ line: 'fn status', does: 'shows what is live' }],
  json: '{app, workspace, live: {id, fingerprint, functions, baseVersion, message, commit, createdBy, activatedAt} | null, replaced, drift, interrupted, head}',
  see: ['deploy'],
  async run(context) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const { client, access } = await remoteClient(context);
    const [live, commit] = await Promise.all([readLive(client, project.app, signal), commitOf(project.root)]);
    const remembered = new DeployState(project.stateDir, workspaceKey(access), project.app, context.env).read();
    const drift = driftOf(live, remembered, commit?.commit);
    const { underWay } = remembered;
    const interrupted =
      underWay === undefined
        ? null
        : { deployment: underWay.id, isLive: underWay.id === live?.deployment.id, at: underWay.at };
    const replaced = live === undefined ? undefined : await replacedBy(live, client, signal);
    const { manifest: _, ...deployment } = live?.deployment ?? { manifest: [] };
    const head = commit === undefined ? null : { sha: commit.commit.sha, dirty: commit.dirty };
    const result = {
      app: project.app,
      workspace: access.slug,
      live: live === undefined ? null : deployment,
      replaced: replaced ?? null,
      drift: drift ?? null,
      interrupted,
      head,
    };
    io.result(result, () => {
      if (live === undefined) return `Nothing of ${project.app} is live in ${access.slug}. Deploy it: fn deploy`;
      const { id, functions } = live.deployment;
      const lines = [
        `${project.app} in ${access.slug}: ${id}, ${functions} ${functions === 1 ? 'function' : 'functions'}`,
        `  deployed ${byWhom(live.deployment)}`,
        replaced === undefined ? '  nothing was live before' : `  replaced ${replaced}`,
      ];
      if (drift !== undefined) lines.push(`  drift: this folder last deployed ${drift.last}; see fn diff`);
      if (interrupted !== null) {
        lines.push(
          interrupted.isLive
            ? `  a deploy was interrupted, but its version ${interrupted.deployment} is live`
            : `  a deploy was interrupted; its version ${interrupted.deployment} is not live. "fn deploy" continues`,
        );
      }
      if (head !== null && live.deployment.commit !== null) {
        const same = head.sha === live.deployment.commit.sha;
        lines.push(
          `  this folder is at ${same ? 'the same commit' : `commit ${head.sha.slice(0, 10)}`}${head.dirty ? ' with changes' : ''}`,
        );
      }
      return lines.join('\n');
    });
  },
});
