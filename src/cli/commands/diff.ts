import { byWhom, commitOf, DeployState, driftOf, manifestOf, plan, readLive } from '../../deploy/index.ts';
import { listFunctionFiles, resolveFunctionName } from '../../project/index.ts';
import { defineCommand } from '../command.ts';
import { builtFunctions } from '../functions/built-functions.ts';
import { changesText } from '../functions/changes-text.ts';
import { workspaceKey } from '../workspaces/choose-workspace.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description:
    'Shows what a deploy would change: functions that are created, changed (with sizes and config differences) and, with --prune, deleted. Builds this folder and changes nothing.',
  arguments: { names: { summary: 'Functions; default: all', many: true, optional: true } },
  options: {
    prune: { flag: '--prune', summary: 'Compare as for a deploy with --prune' },
    minify: { flag: '--minify', summary: 'Compare as for a deploy with --minify' },
    exitCode: { flag: '--exit-code', summary: 'Exit with 3 if anything differs' },
  },
  examples: [
    { line: 'fn diff', does: 'shows the differences' },
    { line: 'fn diff --exit-code --json', does: 'for scripts: exits with 0 if nothing differs, otherwise 3' },
  ],
  json: '{changed, live, drift, changes: [{path, kind, type, bytesBefore, bytesAfter, code, config}]}',
  see: ['deploy'],
  complete: { names: 'functions' },
  async run(context, args) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const { client, access } = await remoteClient(context);
    const files = await listFunctionFiles(project);
    const names = args.names?.length ? args.names.map((name) => resolveFunctionName(files, name).name) : undefined;
    const [live, built, commit] = await Promise.all([
      readLive(client, project.app, signal),
      builtFunctions(context, project, { names, profile: access.profile, minify: args.minify }),
      commitOf(project.root),
    ]);
    const { changes, changed } = plan(manifestOf(built).manifest, live?.deployment.manifest ?? [], {
      prune: args.prune,
      only: names?.map((name) => `${name}.js`),
    });
    const state = new DeployState(project.stateDir, workspaceKey(access), project.app, context.env);
    const drift = driftOf(live, state.read(), commit?.commit);
    io.result({ changed, live: live?.deployment.id ?? null, drift: drift ?? null, changes }, () => {
      const head = live === undefined ? 'Nothing is live.' : `Live: ${live.deployment.id}, ${byWhom(live.deployment)}`;
      return [head, changesText(io, changes), changed ? '' : 'Nothing differs.']
        .filter((line) => line !== '')
        .join('\n');
    });
    if (drift !== undefined) io.err(`Somebody else has deployed since this folder last did (${drift.last}).`);
    return changed && args.exitCode ? 3 : 0;
  },
});
