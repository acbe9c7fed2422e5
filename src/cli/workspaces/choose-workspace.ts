import { type AskedFor, chooseAccess, type Remote, readPreferences } from '../../project/access.ts';
import { UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/**
 * The real workspace that a command means, named on standard error before the command acts. Undefined means the local one.
 * @param must whether only a real one will do; of several logins, the person chooses
 * @throws AccessError login_missing, not_logged_in; UsageError workspace_ambiguous
 */
export async function chooseWorkspace(context: Context, must: boolean): Promise<Remote | undefined> {
  const { env, flags, cwd: folder } = context;
  const asked: AskedFor = { env, profile: flags.profile, folder, must };
  let access: Remote | undefined;
  try {
    access = chooseAccess(asked);
  } catch (error) {
    const ambiguous = error instanceof UsageError && error.code === 'workspace_ambiguous';
    if (!ambiguous || !context.ask.possible) throw error;
    access = chooseAccess({ ...asked, profile: await profileChosen(context) });
  }
  if (access === undefined) return undefined;
  for (const warning of access.warnings) context.io.err(warning);
  context.io.name(access.slug, shortName(access));
  return access;
}

async function profileChosen(context: Context): Promise<string> {
  const choices = Object.entries(readPreferences(context.env).profiles)
    .filter(([, { baseUrl, slug }]) => baseUrl !== '' && slug !== '')
    .map(([value, { baseUrl, slug }]) => ({ value, name: `${value}: ${slug} at ${baseUrl}` }));
  return await context.ask.choose({ message: 'Which workspace?', flag: '--profile', variable: 'FN_PROFILE', choices });
}

/** `acme (live)`: its slug and its profile, or its host if the profile says no more than the slug. */
export function shortName({ slug, profile, baseUrl = '' }: Named): string {
  return `${slug} (${profile === undefined || profile === slug ? new URL(baseUrl).host : profile})`;
}

/** Name under which the state of this workspace is stored. */
export function workspaceKey({ baseUrl, slug }: Omit<Named, 'profile'>): string {
  return `${baseUrl} ${slug}`;
}

export interface Named {
  readonly slug: string;
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
}
