import type { RunModels } from '../types.ts';

export interface EnvironmentOptions {
  /** A folder of its own, for everything that the program writes. */
  readonly home: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly models: RunModels;
  readonly maxOutputTokens: number;
}

/** All that the SDK's program sees of the world: nothing of it is the user's own. @see https://docs.claude.com/en/docs/claude-code/settings */
export function environmentOf(options: EnvironmentOptions): Record<string, string> {
  const { home, apiKey, models, maxOutputTokens } = options;
  const fast = models.fast ?? models.main;
  return {
    ...folders(home),
    // biome-ignore-start lint/style/useNamingConvention: the names of the vendor
    // An empty folder: it finds no git and no ps to look around with.
    PATH: `${home}/work`,
    CLAUDE_CONFIG_DIR: `${home}/config`,
    ANTHROPIC_BASE_URL: addressOf(options.baseUrl),
    ANTHROPIC_API_KEY: apiKey ?? 'none',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: fast,
    ANTHROPIC_SMALL_FAST_MODEL: fast,
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
    // A try is a model call of its own in the record: the loop makes it.
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
    // Compacting would be a model call that nobody asked for.
    DISABLE_AUTO_COMPACT: '1',
    DISABLE_COMPACT: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    // Our tools are few: all of them are in the request.
    ENABLE_TOOL_SEARCH: 'false',
    MAX_MCP_OUTPUT_TOKENS: '200000',
    MCP_TOOL_TIMEOUT: '3600000',
    // biome-ignore-end lint/style/useNamingConvention: the names of the vendor
  };
}

/** Without `/v1`, which the program adds. */
export const addressOf = (baseUrl = 'https://api.anthropic.com'): string => baseUrl.replace(/\/*(?:\/v1)?\/*$/, '');

function folders(home: string): Record<string, string> {
  if (process.platform !== 'win32') return { HOME: home, TMPDIR: home };
  // Without its own folder, Windows starts nothing.
  const root = process.env['SystemRoot'] ?? 'C:\\Windows';
  return { USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home, TEMP: home, TMP: home, SystemRoot: root };
}
