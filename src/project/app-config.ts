import { limits } from '../contract/index.ts';
import { isRecord, isTimezone, ProjectError } from '../std/index.ts';
import { placeInJson } from './json-text.ts';
import { appNameProblem } from './names.ts';
import { firstProblem, type JsonSchema } from './schema-check.ts';

/** The contents of `fn.config.json`. Workspace settings (address, slug, token) are never read from an app's folder. */
export interface AppConfig {
  readonly version: 1;
  /** The app's segment in every path of its functions. */
  readonly app: string;
  /** The zone of cron jobs that do not name one. */
  readonly timezone?: string;
  /** Limits for each function; a function's own config may lower them further. */
  readonly limits?: Partial<Record<FunctionLimit, number>>;
  readonly isolation?: 'fresh' | 'warm';
  /** The variables that functions see as `process.env`. No secrets: the file is in the repository. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of the secrets that must have a value in the workspace that the app is deployed to. */
  readonly secrets?: readonly string[];
  /** Hosts that functions may fetch from; by default every host that the machine can reach, including itself. */
  readonly fetch?: { readonly allow: readonly string[] };
  /** Overrides by profile name. */
  readonly environments?: Readonly<Record<string, { readonly env?: Readonly<Record<string, string>> }>>;
}

export type FunctionLimit = keyof typeof functionLimits;

const most = limits.function;
const functionLimits = {
  wallMs: { least: 1, most: most.wallMs, what: 'Time a function may take, in ms' },
  cpuMs: { least: 1, most: most.cpuMs, what: 'Processor time a function may use, in ms' },
  memoryMb: { least: 16, most: most.memoryMb, what: 'Memory a function may use, in MiB' },
  bodyBytes: { least: 0, most: most.bodyBytes, what: 'Largest request body, in bytes' },
  resultBytes: { least: 0, most: most.resultBytes, what: 'Largest result, in bytes' },
  logLines: { least: 0, most: most.logLines, what: 'Log lines of one invocation' },
} as const;

const env = {
  type: 'object',
  description: 'Configuration that functions see as process.env. No secrets: this file is in the repository',
  propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' },
  additionalProperties: { type: 'string', maxLength: 4096 },
} as const satisfies JsonSchema;

/** The format of `fn.config.json`: it checks the file, and is published as `schema/fn.config.schema.json` for editors. */
export const appConfigSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'fn.config.json',
  description: 'An app of custom functions',
  type: 'object',
  required: ['version', 'app'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', description: 'Tells editors where this schema is' },
    version: { const: 1, description: 'Version of this format' },
    app: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9-]{0,62}$',
      description: 'Name of the app, a segment of every path of its functions. Lower-case letters, digits and dashes',
    },
    timezone: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'Time zone of cron jobs without their own, such as Europe/Berlin; default: UTC',
    },
    isolation: {
      enum: ['fresh', 'warm'],
      description:
        'fresh (default): every invocation starts with new global state; warm: module state may be kept between invocations',
    },
    limits: {
      type: 'object',
      description: 'What each function may use. A function’s own config may lower it further; nothing can raise it',
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(functionLimits).map(([name, limit]) => [
          name,
          {
            type: 'integer',
            minimum: limit.least,
            maximum: limit.most,
            description: `${limit.what}; default ${limit.most}`,
          },
        ]),
      ),
    },
    env,
    secrets: {
      type: 'array',
      maxItems: 200,
      description: 'Names of secrets that must have a value where the app is deployed',
      items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' },
    },
    fetch: {
      type: 'object',
      description: 'What functions may fetch',
      required: ['allow'],
      additionalProperties: false,
      properties: {
        allow: {
          type: 'array',
          maxItems: 200,
          description:
            'Hosts that functions may fetch from, such as api.shop.example or *.shop.example; default: any that the machine can reach',
          items: {
            type: 'string',
            description:
              'A host such as api.shop.example or *.shop.example, with a port if necessary; without "fetch", any host is allowed',
            pattern:
              '^(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*(:\\d{1,5})?$',
          },
        },
      },
    },
    environments: {
      type: 'object',
      description: 'By profile name: the env that differs when the app is deployed there, as {"env": {…}}',
      propertyNames: { pattern: '^[A-Za-z0-9_][\\w.-]{0,99}$' },
      additionalProperties: { type: 'object', additionalProperties: false, properties: { env } },
    },
  },
} as const satisfies JsonSchema;

/**
 * Checks the parsed `fn.config.json`.
 * @param text the file as it is, to show the line that is wrong
 * @throws ProjectError `config_version_unknown`, `config_app_missing`, `config_field_unknown`, `config_invalid`
 */
export function parseAppConfig(value: unknown, text: string, file: string): AppConfig {
  const fail = (code: string, path: string, message: string, hint: string): never => {
    throw new ProjectError(code, `${file}: ${message}`, { hint, location: { file, ...placeInJson(text, path) } });
  };
  if (isRecord(value)) {
    const { version, app } = value;
    if (typeof version === 'number' && Number.isInteger(version) && version > 1)
      fail(
        'config_version_unknown',
        'version',
        `version ${version} is newer than this fn, which knows version 1`,
        'Update convo-fn, or set "version": 1 if the file was written for it.',
      );
    if (app === undefined || app === '')
      fail('config_app_missing', 'app', 'the app has no name', 'Add "app": "order-desk", for example, and save.');
  }
  const problem = firstProblem(appConfigSchema, value);
  if (problem !== undefined) {
    const code = problem.unknown ? 'config_field_unknown' : 'config_invalid';
    fail(code, problem.path, problem.message, problem.hint ?? 'Correct it and save.');
  }
  const config = value as AppConfig;
  const name = appNameProblem(config.app);
  if (name !== undefined) fail('config_invalid', 'app', name.message, name.hint);
  if (config.timezone !== undefined && !isTimezone(config.timezone))
    fail(
      'config_invalid',
      'timezone',
      `${config.timezone} is not a time zone`,
      'Use a name from the time zone database, such as Europe/Berlin or UTC.',
    );
  return config;
}

/** The variables that functions see as `process.env`, for a profile or for the local workspace. */
export function environmentOf(config: AppConfig, profile?: string): Readonly<Record<string, string>> {
  const own = profile === undefined ? undefined : config.environments;
  const there =
    own !== undefined && profile !== undefined && Object.hasOwn(own, profile) ? own[profile]?.env : undefined;
  return { ...config.env, ...there };
}
