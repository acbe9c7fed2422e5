import { parseBaseUrl, parseSlug, parseWorkspaceAddress } from '../contract/index.ts';
import { AccessError, type Environment, nearest, UsageError } from '../std/index.ts';
import { appAround } from './app-folder.ts';
import { credentialsFile, findLogin, readCredentials } from './credentials.ts';
import { type Preferences, type Profile, readPreferences } from './preferences.ts';

/** The profile that always means this machine: a running `fn dev`, or a workspace inside the command. */
export const localProfile = 'local';

/** Where a workspace was named that nothing names, for commands that need a real one. */
export const onlyLogin = 'the only login';

/** A remote workspace, as flags, variables and profiles together define it. */
export interface Remote {
  readonly baseUrl: string;
  readonly slug: string;
  readonly token: string;
  /** Overridden routes of assumed operations, by operation. */
  readonly routes: Readonly<Record<string, string>>;
  /** The profile that was used, if one was. */
  readonly profile: string | undefined;
  /** Where the workspace was named, for messages: `--profile`, `FN_BASE_URL`, `profile in use`. */
  readonly from: string;
  /** Where the token was found: `FN_TOKEN`, or the path of the file. */
  readonly tokenFrom: string;
  readonly warnings: readonly string[];
}

/** What a command asks for. */
export interface AskedFor {
  /** The flag as given; it falls back to FN_PROFILE. */
  readonly profile?: string | undefined;
  readonly env?: Environment;
  /** The folder of the command. In an app, the local workspace is meant unless something else is named; undefined is no app. */
  readonly folder?: string;
  /** Whether only a real workspace will do: if none is named, the only login is taken. */
  readonly must?: boolean;
}

/**
 * Resolves the remote workspace of a command: flag, variable, then the profile chosen for the app, or outside an app the profile in use; in
 * this order, separately for each setting. Nothing is ever taken from an app's folder.
 * @returns undefined when nothing names one, which means the local workspace
 * @throws UsageError profile_unknown, workspace_missing, workspace_ambiguous; AccessError not_logged_in
 */
export function resolveRemote(given: AskedFor): Remote | undefined {
  const place = resolvePlace(given);
  if (place === undefined) return undefined;
  const { baseUrl, slug, profile, profileName, from } = place;
  const found = findToken(baseUrl, slug, given.env ?? process.env);
  const warnings = [...place.warnings, ...found.warnings];
  return { ...found, baseUrl, slug, routes: routesOf(profile), profile: profileName, from, warnings };
}

/**
 * The same for commands that may need one.
 * @throws AccessError login_missing, if `must` is given
 */
export function chooseAccess(given: AskedFor): Remote | undefined {
  const remote = resolveRemote(given);
  if (remote !== undefined || given.must !== true) return remote;
  throw new AccessError('login_missing', 'This command needs a remote workspace, and none is selected', {
    hint: 'Run `fn login`, choose one with --profile NAME, or set FN_BASE_URL, FN_WORKSPACE and FN_TOKEN.',
  });
}

interface Place {
  baseUrl: string;
  slug: string;
  profile: Profile | undefined;
  profileName: string | undefined;
  from: string;
  warnings: readonly string[];
}

/** The same without its token: for `fn login`, `fn logout` and for saying where a command would go. */
export function resolvePlace(given: AskedFor): Place | undefined {
  const { profile: flag, env = process.env } = given;
  const variable = nonEmpty(env['FN_PROFILE']);
  // The command line falls back to the variable, so only a different name was really given as a flag.
  const byFlag = flag !== undefined && flag !== variable;
  const chosen = flag ?? variable;
  if (chosen === localProfile) return undefined;
  const address = byFlag ? undefined : nonEmpty(env['FN_BASE_URL']);
  const slugGiven = byFlag ? undefined : nonEmpty(env['FN_WORKSPACE']);
  // If both are named, the preferences are not read at all, so that a broken file cannot stop CI.
  const preferences =
    chosen === undefined && address !== undefined && slugGiven !== undefined ? undefined : readPreferences(env);
  const tokenGiven = nonEmpty(env['FN_TOKEN']);
  const must = given.must === true || slugGiven !== undefined || tokenGiven !== undefined;
  const unnamed =
    chosen === undefined && address === undefined && preferences !== undefined
      ? whereNothingIsNamed(preferences, { ...given, env, must })
      : undefined;
  const profileName = chosen ?? unnamed?.profile;
  const profile = profileName === undefined ? undefined : preferences?.profiles[profileName];
  const whole = address === undefined ? undefined : parseWorkspaceAddress(address);
  // If variables define the whole workspace, as in CI, a profile only selects an environment in fn.config.json and need not exist.
  const named = address !== undefined && (slugGiven ?? whole?.slug) !== undefined;
  if (chosen !== undefined && profile === undefined && !named)
    throw unknownProfile(chosen, Object.keys(preferences?.profiles ?? {}));
  if (profileName === localProfile && address === undefined) return undefined;

  const baseUrl = whole?.baseUrl ?? (address === undefined ? nonEmpty(profile?.baseUrl) : parseBaseUrl(address));
  const slug = slugGiven ?? whole?.slug ?? nonEmpty(profile?.slug);
  if (profile === undefined && baseUrl === undefined && slugGiven === undefined && tokenGiven === undefined) {
    return undefined;
  }
  if (baseUrl === undefined || slug === undefined) {
    const missing = baseUrl === undefined ? 'the address (FN_BASE_URL)' : 'the slug (FN_WORKSPACE)';
    throw new UsageError('workspace_missing', `The workspace is only partly specified: ${missing} is missing`, {
      hint: 'Set FN_BASE_URL and FN_WORKSPACE as well as FN_TOKEN, or log in with `fn login`. `--profile local` means this machine.',
    });
  }
  const from = byFlag
    ? '--profile'
    : address !== undefined
      ? 'FN_BASE_URL'
      : variable !== undefined
        ? 'FN_PROFILE'
        : slugGiven !== undefined
          ? 'FN_WORKSPACE'
          : (unnamed?.from ?? 'the profile in use');
  const warnings = unnamed?.warnings ?? [];
  return { baseUrl: parseBaseUrl(baseUrl), slug: parseSlug(slug), profile, profileName, from, warnings };
}

interface Unnamed {
  readonly profile: string;
  readonly from: string;
  readonly warnings: readonly string[];
}

/**
 * The profile of a command that names none: the one chosen for the app, outside an app the one in use; if only a real workspace will do, the
 * only login.
 * @throws UsageError workspace_ambiguous
 */
function whereNothingIsNamed(
  { profile: inUse, profiles, apps }: Preferences,
  { folder, env, must }: AskedFor & { env: Environment },
): Unnamed | undefined {
  const app = folder === undefined ? undefined : appAround(folder);
  const usual = app === undefined ? inUse : apps?.[app];
  if (usual !== undefined && profiles[usual] !== undefined) {
    return {
      profile: usual,
      from: app === undefined ? 'the profile in use' : `fn profile use, for ${app}`,
      warnings: [],
    };
  }
  if (must !== true) return undefined;
  const complete = Object.entries(profiles).filter(([, { baseUrl, slug }]) => baseUrl !== '' && slug !== '');
  const { logins, warnings } =
    nonEmpty(env['FN_TOKEN']) === undefined ? readCredentials(env) : { logins: undefined, warnings: [] };
  const open = complete.filter(
    ([, { baseUrl, slug }]) => logins === undefined || findLogin(logins, baseUrl, slug) !== undefined,
  );
  const possible = (open.length > 0 ? open : complete).map(([name]) => name);
  const [only] = possible;
  if (possible.length > 1) {
    throw new UsageError('workspace_ambiguous', `It is not clear which workspace is meant: ${possible.join(', ')}`, {
      hint: `Name one with --profile NAME${app === undefined ? '' : ', or choose it for this app: fn profile use NAME'}`,
    });
  }
  return only === undefined ? undefined : { profile: only, from: onlyLogin, warnings };
}

function findToken(baseUrl: string, slug: string, env: Environment) {
  const variable = nonEmpty(env['FN_TOKEN']);
  if (variable !== undefined) return { token: variable.trim(), tokenFrom: 'FN_TOKEN', warnings: [] };
  const { logins, warnings } = readCredentials(env);
  const login = findLogin(logins, baseUrl, slug);
  if (login !== undefined) return { token: login.token, tokenFrom: credentialsFile(env), warnings };
  const elsewhere = logins.some((other) => other.slug === slug);
  throw new AccessError('not_logged_in', `You are not logged in to ${slug} at ${baseUrl}`, {
    hint: elsewhere
      ? 'There is a token for this slug at another address; a token is never sent to an address it was not made for. Run `fn login`.'
      : 'Run `fn login`, or set FN_TOKEN.',
  });
}

/** The routes that a profile overrides. */
export function routesOf(profile: Profile | undefined): Record<string, string> {
  const routes: Record<string, string> = {};
  for (const [name, { route }] of Object.entries(profile?.operations ?? {})) {
    if (route !== undefined) routes[name] = route;
  }
  return routes;
}

/** @throws UsageError profile_name_invalid */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9_][\w.-]{0,99}$/.test(name) && name !== localProfile && !(name in Object.prototype)) return name;
  throw new UsageError(
    'profile_name_invalid',
    name === localProfile
      ? '"local" always means this machine'
      : `"${name.slice(0, 80)}" cannot be the name of a profile`,
    { hint: 'Use letters, digits, dots, dashes and underscores, but not "local".' },
  );
}

export function unknownProfile(name: string, known: readonly string[]): UsageError {
  const near = nearest(name, [...known]);
  const list =
    known.length === 0
      ? 'There is none yet; `fn login` creates one.'
      : `There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ')}.`;
  return new UsageError('profile_unknown', `There is no profile "${name.slice(0, 80)}"`, {
    hint: near === undefined ? list : `Did you mean "${near}"? ${list}`,
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
