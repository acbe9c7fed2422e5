import { type Client, openClient } from '../../client/index.ts';
import { chooseAccess, type Remote } from '../../project/index.ts';
import { UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/**
 * A client of the remote workspace, for commands that send many requests. Closed when the command ends.
 * @throws AccessError login_missing, not_logged_in
 */
export function remoteClient(context: Context): { client: Client; access: Remote } {
  const access = chooseAccess({ env: context.env, profile: context.flags.profile, must: true });
  if (access === undefined) throw new UsageError('workspace_missing', 'No remote workspace is selected');
  for (const warning of access.warnings) context.io.err(warning);
  const { baseUrl, slug, token, routes } = access;
  const client = openClient({
    baseUrl,
    slug,
    token,
    routes,
    transport: 'auto',
    clock: context.clock,
    env: context.env,
    userAgent: `fn/${context.version}`,
  });
  context.onFailure(client.misfit);
  context.onEnd(() => client.close());
  return { client, access };
}

/** Name under which the state of this workspace is stored. */
export function workspaceKey({ baseUrl, slug }: Remote): string {
  return `${baseUrl} ${slug}`;
}
