import { parseRoute } from '../../client/index.ts';
import {
  isOperationName,
  operationNames,
  operationOf,
  parseBaseUrl,
  parseSlug,
  parseWorkspaceAddress,
} from '../../contract/index.ts';
import {
  appAround,
  changePreferences,
  checkProfileName,
  chosenFor,
  findLogin,
  localProfile,
  type Preferences,
  type Profile,
  readCredentials,
  readPreferences,
  removeLogin,
  unknownProfile,
} from '../../project/index.ts';
import { nearest, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { table } from '../terminal/table.ts';

const see = ['login'] as const;

const list = defineCommand({
  description:
    'Lists the workspaces you can use. * marks the one that commands use in this folder; "local" is always this machine.',
  examples: [{ line: 'fn profile list', does: 'lists them', runs: true }],
  json: '{inUse, app, items: [{name, slug, baseUrl, loggedIn, operations}]}',
  see,
  async run({ io, env, cwd }) {
    const { profile, apps, profiles } = readPreferences(env);
    const app = appAround(cwd);
    const { logins, warnings } = readCredentials(env);
    for (const warning of warnings) io.err(warning);
    const chosen = app === undefined ? profile : apps?.[app];
    const inUse = chosen !== undefined && profiles[chosen] !== undefined ? chosen : localProfile;
    const items = Object.entries(profiles).map(([name, { baseUrl, slug, operations }]) => ({
      name,
      slug,
      baseUrl,
      loggedIn: baseUrl !== '' && findLogin(logins, baseUrl, slug) !== undefined,
      operations: operations ?? {},
    }));
    io.result({ inUse, app: app ?? null, items }, () =>
      table([
        [inUse === localProfile ? '*' : '', localProfile, '', 'this machine'],
        ...items.map(({ name, slug, baseUrl, loggedIn }) => [
          name === inUse ? '*' : '',
          name,
          slug,
          baseUrl + (loggedIn ? '' : '  (not logged in)'),
        ]),
      ]),
    );
  },
});

const use = defineCommand({
  description:
    'In an app, chooses the workspace of its commands; without it they use the local one. Outside apps, chooses the workspace of commands there. The choice is kept in your own folder, never in the app.',
  arguments: { name: { summary: 'Name of the profile, or "local" for this machine' } },
  examples: [{ line: 'fn profile use local', does: 'switches back to the workspace on this machine' }],
  json: '{inUse, app}',
  see,
  complete: { name: 'profiles' },
  async run({ io, env, cwd }, { name }) {
    const app = appAround(cwd);
    await changePreferences((preferences) => {
      if (name !== localProfile) requireProfile(preferences, name);
      return app === undefined ? { ...preferences, profile: name } : chosenFor(app, name, preferences);
    }, env);
    io.result({ inUse: name, app: app ?? null }, () => `In use${app === undefined ? '' : ` for ${app}`}: ${name}`);
  },
});

const set = defineCommand({
  description: `Changes a setting of a profile, and creates the profile if necessary.

The settings are baseUrl, slug, and operations.<operation>.route, for a platform that has an assumed operation at another address. Write the route as METHOD /path below the base address, with {slug} and the operation's own parameters (:id). An empty value removes the route. "fn docs operations" lists the operations and shows which are assumed.`,
  arguments: {
    name: { summary: 'Name of the profile' },
    setting: { summary: 'baseUrl, slug, or operations.<operation>.route' },
    value: { summary: 'The value; empty removes a route' },
  },
  examples: [
    {
      line: 'fn profile set live baseUrl https://app.example.com',
      does: 'changes the address; log in again afterwards',
    },
    {
      line: 'fn profile set live operations.customers.get.route "GET /v2/{slug}/people/:id"',
      does: 'says where this platform has it',
    },
  ],
  json: '{name, baseUrl, slug, operations}',
  see,
  complete: { name: 'profiles', setting: async () => ['baseUrl', 'slug'] },
  async run({ io, env }, { name, setting, value }) {
    checkProfileName(name);
    const change = changeOf(setting, value);
    const { profiles } = await changePreferences((preferences) => {
      const before = preferences.profiles[name] ?? { baseUrl: '', slug: '' };
      return { ...preferences, profiles: { ...preferences.profiles, [name]: change(before) } };
    }, env);
    const changed = profiles[name];
    if (changed && (changed.baseUrl === '' || changed.slug === '')) {
      io.err(`The profile still needs ${changed.baseUrl === '' ? 'its baseUrl' : 'its slug'}.`);
    }
    io.result(
      { name, ...changed, operations: changed?.operations ?? {} },
      () => `${name}: ${setting} is ${stored(changed, setting, value)}`,
    );
  },
});

const remove = defineCommand({
  description:
    'Removes a profile and its token from this machine. The token itself stays valid; "fn logout" revokes it.',
  arguments: { name: { summary: 'Name of the profile' } },
  examples: [{ line: 'fn profile remove live', does: 'removes the profile and its token' }],
  json: '{name, removed}',
  see,
  complete: { name: 'profiles' },
  async run({ io, env }, { name }) {
    let gone: Profile | undefined;
    const left = await changePreferences((preferences) => {
      gone = requireProfile(preferences, name);
      const profiles = Object.fromEntries(Object.entries(preferences.profiles).filter(([other]) => other !== name));
      const { profile, ...rest } = preferences;
      const apps = Object.fromEntries(Object.entries(rest.apps ?? {}).filter(([, other]) => other !== name));
      return { ...rest, ...(profile !== undefined && profile !== name && { profile }), apps, profiles };
    }, env);
    if (gone !== undefined && URL.canParse(gone.baseUrl)) {
      const { origin } = new URL(gone.baseUrl);
      const slug = gone.slug;
      const shared = Object.values(left.profiles).some(
        (other) => other.slug === slug && URL.canParse(other.baseUrl) && new URL(other.baseUrl).origin === origin,
      );
      if (!shared) await removeLogin({ origin, slug }, env);
    }
    io.result({ name, removed: true }, () => `Removed: ${name}`);
  },
});

/** What was stored, as far as it may differ from what was given. */
function stored(profile: Profile | undefined, setting: string, given: string): string {
  if (setting === 'baseUrl' && profile !== undefined) {
    return profile.baseUrl + (parseWorkspaceAddress(given) === undefined ? '' : `, slug is ${profile.slug}`);
  }
  return given === '' ? 'removed' : given;
}

function changeOf(setting: string, value: string): (profile: Profile) => Profile {
  if (setting === 'baseUrl') {
    // The address as the browser shows it names the slug as well.
    const place = parseWorkspaceAddress(value) ?? { baseUrl: parseBaseUrl(value) };
    return (profile) => ({ ...profile, ...place });
  }
  if (setting === 'slug') {
    const slug = parseSlug(value);
    return (profile) => ({ ...profile, slug });
  }
  const operation = /^operations\.(.+)\.route$/.exec(setting)?.[1];
  if (operation === undefined) {
    throw new UsageError('setting_unknown', `A profile has no setting "${setting}"`, {
      hint: 'The settings are baseUrl, slug and operations.<operation>.route',
    });
  }
  if (!isOperationName(operation)) {
    const meant = nearest(operation, operationNames);
    throw new UsageError('operation_unknown', `There is no operation "${operation}"`, {
      hint: meant === undefined ? 'See: fn docs operations' : `Did you mean "${meant}"?`,
    });
  }
  if (operationOf(operation).source === 'documented') {
    throw new UsageError(
      'route_documented',
      `The route of ${operation} is documented by the platform and cannot be another`,
      {
        hint: 'You can only change the routes of assumed operations.',
      },
    );
  }
  if (value !== '') parseRoute(value, operation);
  return (profile) => {
    const others = Object.entries(profile.operations ?? {}).filter(([name]) => name !== operation);
    return {
      ...profile,
      operations: Object.fromEntries(value === '' ? others : [...others, [operation, { route: value }]]),
    };
  };
}

function requireProfile(preferences: Preferences, name: string): Profile {
  const profile = preferences.profiles[name];
  if (profile !== undefined) return profile;
  throw unknownProfile(name, Object.keys(preferences.profiles));
}

/** `fn profile …` */
export const commands = {
  list: { summary: 'List the profiles', command: list },
  use: { summary: 'Switch to a profile', command: use },
  set: { summary: 'Change a setting of a profile', command: set },
  remove: { summary: 'Remove a profile and its token', command: remove },
};
