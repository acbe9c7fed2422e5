import { type Client, openClient } from '../../client/index.ts';
import type { Remote } from '../../project/index.ts';
import { UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { chooseWorkspace } from './choose-workspace.ts';

/**
 * A client of the remote workspace, for commands that send many requests. Closed when the command ends.
 * @throws AccessError login_missing, not_logged_in; UsageError workspace_ambiguous
 */
export async function remoteClient(context: Context): Promise<{ client: Client; access: Remote }> {
  const access = await chooseWorkspace(context, true);
  if (access === undefined) throw new UsageError('workspace_missing', 'No remote workspace is selected');
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
