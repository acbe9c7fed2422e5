import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, isRecord, MachineError, messageOf, withFileLock } from '../std/index.ts';
import { configFolder, isNotThere } from './user-folders.ts';

/** A workspace under a name chosen by the user. Its token is stored with the credentials, not here. */
export interface Profile {
  readonly baseUrl: string;
  readonly slug: string;
  /** Overrides for this platform, by operation. */
  readonly operations?: Readonly<Record<string, { readonly route?: string }>>;
}

/** The user's settings, without tokens. */
export interface Preferences {
  /** The profile in use outside apps. */
  readonly profile?: string;
  /** The profiles chosen for apps, by the real path of the app's folder. */
  readonly apps?: Readonly<Record<string, string>>;
  /** Workspaces (`<base URL> <slug>`) to whose customers the user has agreed to send from a terminal. */
  readonly sendsTo?: readonly string[];
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function preferencesFile(env: Environment = process.env): string {
  return join(configFolder(env), 'preferences.json');
}

/**
 * Reads the preferences without the library that writes them, because one-line commands read them, too.
 * @throws MachineError preferences_broken
 */
export function readPreferences(env: Environment = process.env): Preferences {
  const file = preferencesFile(env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (isNotThere(cause)) return { profiles: {} };
    throw new MachineError('preferences_unreadable', `${file} cannot be read: ${messageOf(cause)}`, {
      hint: 'Check its permissions, or set XDG_CONFIG_HOME to a folder you own. FN_BASE_URL, FN_WORKSPACE and FN_TOKEN need no file.',
      cause,
    });
  }
  try {
    return parse(JSON.parse(text));
  } catch (cause) {
    throw new MachineError('preferences_broken', `${file} is broken: ${messageOf(cause)}`, {
      hint: 'Correct it, or move it away: the profiles are then gone, but the tokens are kept.',
      cause,
    });
  }
}

/** The preferences with a profile chosen for an app; `local`, which needs no entry, removes the choice. */
export function chosenFor(app: string, profile: string, preferences: Preferences): Preferences {
  const others = Object.entries(preferences.apps ?? {}).filter(([other]) => other !== app);
  return { ...preferences, apps: Object.fromEntries(profile === 'local' ? others : [...others, [app, profile]]) };
}

/** Changes the preferences. No write of another process is lost: `conf` replaces the file atomically, under our own lock. */
export async function changePreferences(
  edit: (preferences: Preferences) => Preferences,
  env: Environment = process.env,
): Promise<Preferences> {
  const file = preferencesFile(env);
  return await withFileLock(`${file}.lock`, async () => {
    const changed = edit(readPreferences(env));
    const { default: Conf } = await import('conf');
    const conf = new Conf<{ -readonly [key in keyof Preferences]: Preferences[key] }>({
      cwd: configFolder(env),
      configName: 'preferences',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      projectVersion: '1',
    });
    conf.store = { ...changed };
    return changed;
  });
}

function parse(value: unknown): Preferences {
  if (!isRecord(value)) throw new Error('it is not an object');
  const profiles: Record<string, Profile> = Object.create(null);
  if (value['profiles'] !== undefined && !isRecord(value['profiles'])) throw new Error('profiles is not an object');
  for (const [name, entry] of Object.entries(value['profiles'] ?? {})) {
    if (!isRecord(entry) || typeof entry['baseUrl'] !== 'string' || typeof entry['slug'] !== 'string') {
      throw new Error(`the profile "${name}" has no baseUrl or slug`);
    }
    const operations = operationsOf(entry['operations']);
    profiles[name] = {
      baseUrl: entry['baseUrl'],
      slug: entry['slug'],
      ...(operations === undefined ? {} : { operations }),
    };
  }
  const { profile, apps, sendsTo } = value;
  return {
    ...(typeof profile === 'string' && { profile }),
    ...(isRecord(apps) && { apps: Object.fromEntries(Object.entries(apps).filter(isTextEntry)) }),
    ...(Array.isArray(sendsTo) && { sendsTo: sendsTo.filter((workspace) => typeof workspace === 'string') }),
    profiles,
  };
}

const isTextEntry = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';

function operationsOf(value: unknown): Record<string, { route?: string }> | undefined {
  if (!isRecord(value)) return undefined;
  const operations: Record<string, { route?: string }> = Object.create(null);
  for (const [name, entry] of Object.entries(value)) {
    if (isRecord(entry) && typeof entry['route'] === 'string') operations[name] = { route: entry['route'] };
  }
  return operations;
}
