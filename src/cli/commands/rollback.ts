import { byWhom, DeployState, type RolledBack, readLive, rollBack } from '../../deploy/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { workspaceKey } from '../workspaces/choose-workspace.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description:
    'Makes an older version live again, all functions at once. The default is the version that the current one replaced. The newer version is kept, and can be made live again in the same way.',
  arguments: { version: { summary: 'Version (dpl_…), from "fn versions"', optional: true } },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [
    { line: 'fn rollback', does: 'goes back one version' },
    { line: 'fn rollback dpl_01JD3V… --yes', does: 'makes this version live without asking' },
  ],
  json: '{app, workspace, deployment, previous, changed}',
  see: ['deploy'],
  async run(context, { version, yes }) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const { app } = project;
    const { client, access } = await remoteClient(context);
    const before = await readLive(client, app, signal);
    if (before === undefined)
      throw new WorkspaceError('deployment_not_found', 404, `Nothing of ${app} is live`, { hint: 'See: fn versions' });
    if (!yes && context.ask.possible) {
      io.err(`Live is ${before.deployment.id}, ${byWhom(before.deployment)}`);
      const to = version ?? 'the version before';
      if (!(await context.ask.confirm({ message: `Make ${to} live in ${access.slug}?`, flag: '--yes' }))) return 130;
    }
    context.ifCutOff({ exitCode: 8, message: 'The switch was requested; "fn status" shows what is live.' });
    const state = new DeployState(project.stateDir, workspaceKey(access), app, context.env);
    let done: RolledBack;
    try {
      done = await rollBack({ client, app, version, before, state, signal });
    } finally {
      context.ifCutOff(undefined);
    }
    const { now, previous, askedAt } = done;
    const { id } = now.deployment;
    if (askedAt !== undefined) {
      io.err(
        `The rollback requested at ${askedAt} took effect; nothing more was changed. Run it once more to go back further.`,
      );
    }
    io.result({ app, workspace: access.slug, deployment: id, previous, changed: id !== previous }, () =>
      id === previous
        ? `${id} is already live.`
        : `Live: ${id}, ${byWhom(now.deployment)}. Forward again: fn rollback ${previous}`,
    );
    return 0;
  },
});
