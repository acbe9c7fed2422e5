import { openClient } from '../../client/index.ts';
import { parseBaseUrl, parseSlug, parseWorkspaceAddress } from '../../contract/index.ts';
import {
  appAround,
  changePreferences,
  checkProfileName,
  chosenFor,
  credentialsFile,
  type Preferences,
  readPreferences,
  routesOf,
  saveLogin,
} from '../../project/index.ts';
import { AccessError, isCi, toTimestamp, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { inLine } from '../terminal/sanitise.ts';

export const command = defineCommand({
  description: `Logs in to a workspace: stores its address, its slug and an API token, which you create in the workspace under Profile › API Tokens.

Paste the address from your browser; it contains the slug. fn prompts for the token without showing it, or reads it from standard input (--token-stdin) or FN_TOKEN. There is no flag for it, because other users can see flags. fn checks the token, stores it in a file that only you can read, and sends it to this address only.

In CI, fn stores nothing: set FN_BASE_URL, FN_WORKSPACE and FN_TOKEN instead.`,
  arguments: {
    address: { summary: 'Address of the workspace, such as https://app.example.com/tenants/acme', optional: true },
  },
  options: {
    slug: {
      flag: '--slug <slug>',
      summary: 'Slug of the workspace, if the address has none',
      variable: 'FN_WORKSPACE',
    },
    tokenStdin: { flag: '--token-stdin', summary: 'Read the token from standard input' },
    use: {
      flag: '--use',
      summary: 'Switch to this profile: for this app, or outside apps even if another one is in use',
    },
    force: { flag: '--force', summary: 'Replace a profile of the same name for another workspace' },
  },
  examples: [
    { line: 'fn login https://app.example.com/tenants/acme', does: 'asks for the token and stores it' },
    {
      line: 'pass show acme/token | fn login https://app.example.com/tenants/acme --token-stdin',
      does: 'reads the token from a password manager',
    },
    {
      line: 'fn login https://app.example.com/tenants/acme --profile live',
      does: 'stores it under a name of your own',
    },
  ],
  json: '{profile, inUse, slug, baseUrl, url, token: {id, name, scopes}, store}',
  variables: { FN_BASE_URL: 'Address of the workspace', FN_TOKEN: 'The API token' },
  see: ['login', 'ci'],
  async run(context, args) {
    const { io, env } = context;
    if (isCi(env)) {
      throw new UsageError('ci_stores_nothing', 'fn stores no token in CI (the variable CI is set)', {
        hint: 'Set FN_BASE_URL, FN_WORKSPACE and FN_TOKEN instead; then you need no login.',
      });
    }
    const { baseUrl, slug } = await placeOf(context, args.address, args.slug);
    const name = checkProfileName(context.flags.profile ?? slug);
    const before = readPreferences(env).profiles[name];
    if (before !== undefined && (before.baseUrl !== baseUrl || before.slug !== slug) && !args.force) {
      throw new UsageError('profile_exists', `The profile "${name}" is for ${before.slug} at ${before.baseUrl}`, {
        hint: 'Choose another name with --profile NAME, or replace it with --force.',
      });
    }
    const token = await tokenOf(context, args.tokenStdin, slug, baseUrl);
    const client = openClient({
      baseUrl,
      slug,
      token,
      routes: routesOf(before),
      env,
      clock: context.clock,
      userAgent: `fn/${context.version}`,
    });
    const shown = await client('workspace.show', {}, { signal: context.signal });
    if (shown.slug !== slug) {
      throw new AccessError('token_foreign', `The token opens the workspace "${inLine(shown.slug)}", not "${slug}"`, {
        hint: 'Check the slug, or create a token in the workspace you mean.',
      });
    }
    await saveLogin(
      {
        origin: new URL(baseUrl).origin,
        slug,
        token,
        tokenId: shown.token?.id,
        tokenName: shown.token?.name,
        savedAt: toTimestamp(context.clock.now()),
      },
      env,
    );
    const app = appAround(context.cwd);
    const preferences = await changePreferences((before) => {
      const profiles = { ...before.profiles, [name]: { ...before.profiles[name], baseUrl, slug } };
      const now = { ...before, profiles, profile: before.profile ?? name };
      if (!args.use) return now;
      return app === undefined ? { ...now, profile: name } : chosenFor(app, name, now);
    }, env);
    const inUse = (app === undefined ? preferences.profile : preferences.apps?.[app]) === name;
    const sharing = Object.entries(preferences.profiles)
      .filter(([other, profile]) => other !== name && profile.baseUrl === baseUrl && profile.slug === slug)
      .map(([other]) => `"${other}"`);
    const store = credentialsFile(env);
    const { url } = shown;
    io.result({ profile: name, inUse, slug, baseUrl, url, token: shown.token, store }, () => {
      const who =
        shown.token === null
          ? ''
          : ` with the token "${inLine(shown.token.name)}" (${inLine(shown.token.scopes.join(', '))})`;
      const use = useText(app !== undefined, inUse, name, slug, preferences);
      const shared =
        sharing.length === 0 ? '' : `\nfn stores one token per workspace: ${sharing.join(', ')} now use it, too.`;
      return `Logged in to ${inLine(shown.name)} (${slug})${who}.\nStored as profile "${name}" in ${store}.${shared}\n${use}`;
    });
  },
});

/** Says which commands speak to the workspace from now on. */
function useText(inApp: boolean, inUse: boolean, name: string, slug: string, { profile, profiles }: Preferences) {
  if (inUse)
    return `It is in use: commands ${inApp ? 'in this app ' : ''}now speak to ${slug}. Back to this machine: fn profile use local`;
  if (!inApp) return `"${profile}" is still in use. To switch: fn profile use ${name}`;
  const deploys =
    Object.keys(profiles).length === 1 ? `fn deploy goes to ${slug}` : `fn deploy --profile ${name} goes there`;
  return `${deploys}; other commands in this app stay on this machine. For one of them: --profile ${name}. For all: fn profile use ${name}`;
}

async function placeOf(
  context: Context,
  given: string | undefined,
  slugGiven: string | undefined,
): Promise<{ baseUrl: string; slug: string }> {
  const address =
    given ??
    (context.env['FN_BASE_URL'] ||
      (await context.ask.text({
        message: 'Address of the workspace, as in your browser:',
        flag: 'ADDRESS',
        variable: 'FN_BASE_URL',
        check: accepted((value) => parseWorkspaceAddress(value) ?? parseBaseUrl(value)),
      })));
  const whole = parseWorkspaceAddress(address);
  if (whole !== undefined) {
    if (slugGiven !== undefined && slugGiven !== whole.slug) {
      throw new UsageError('slug_contradicts', `The address says "${whole.slug}", --slug says "${slugGiven}"`, {
        hint: 'Use one of them.',
      });
    }
    return whole;
  }
  const baseUrl = parseBaseUrl(address);
  const slug =
    slugGiven ??
    (await context.ask.text({
      message: 'Slug of the workspace (the part after /tenants/):',
      flag: '--slug',
      variable: 'FN_WORKSPACE',
      check: accepted((value) => parseSlug(value.trim())),
    }));
  return { baseUrl, slug: parseSlug(slug.trim()) };
}

/** Checks an answer by parsing it, so that a typing error is corrected on the spot instead of ending the command. */
function accepted(parse: (value: string) => unknown): (value: string) => true | string {
  return (value) => {
    try {
      parse(value);
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return `${error.message}. ${error.hint}`;
    }
  };
}

async function tokenOf(context: Context, fromStdin: boolean, slug: string, baseUrl: string): Promise<string> {
  const given = fromStdin
    ? await context.stdin(64 * 1024)
    : (context.env['FN_TOKEN'] ??
      (await context.ask.secret({
        message: `API token of ${slug} (${baseUrl}), from Profile › API Tokens:`,
        flag: '--token-stdin',
        variable: 'FN_TOKEN',
      })));
  const token = given.trim();
  if (token !== '') return token;
  throw new UsageError('token_missing', 'The token is empty', {
    hint: 'Pass it on standard input (--token-stdin) or in FN_TOKEN, or enter it when prompted.',
  });
}
