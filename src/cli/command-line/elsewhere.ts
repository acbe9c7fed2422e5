/** What other tools call it, or the workspace does, and where it is here. */
export const elsewhere: ReadonlyMap<string, string> = new Map([
  ...here('fn init NAME', 'new', 'create', 'add', 'generate', 'scaffold'),
  ...here('fn dev', 'start', 'serve'),
  ...here('fn invoke NAME', 'run', 'call', 'exec', 'execute'),
  ...here('fn list', 'ls', 'functions'),
  ...here('fn deploy', 'publish', 'push', 'release', 'promote'),
  ...here('fn logs -f', 'tail'),
  ...here('fn login', 'auth'),
  ...here('fn open', 'console', 'dashboard'),
  ...here('fn template send', 'send'),
  ...here('fn template upload FILE', 'media'),
  ...here('fn link', 'session', 'sessions'),
  ...here('fn versions', 'deployments'),
  ...here('fn workspace reset, fn workspace import FILE', 'seed'),
  ...here('fn var for values, fn secret for what nobody may read, "env" of fn.config.json', 'env'),
  ...here('the file fn.config.json. Its fields: fn docs fn.config.json', 'config'),
  ...here('delete its file. What is live: fn deploy --prune', 'delete', 'remove', 'rm'),
  ...here('npm install convo-fn@latest', 'update', 'upgrade'),
  ...operations('customers', 'conversations', 'messages', 'agents', 'workgroups', 'invocations'),
  ['version', 'The version: fn --version. What was deployed: fn versions'],
  ['send-template', 'It stands alone: send-template. Here it is: fn template send'],
  ['-v', 'The version: fn --version'],
  ['--version', 'It stands alone: fn --version'],
  ['-V', 'It stands alone: fn -V'],
]);

function here(line: string, ...words: string[]): [string, string][] {
  return words.map((word) => [word, `Here it is: ${line}`]);
}

function operations(...areas: string[]): [string, string][] {
  return areas.map((area) => [
    area,
    `It has no command of its own: fn api ${area}.list. All operations: fn api --list`,
  ]);
}

/** Verbs that mean the same below a word such as `secret`. */
const verbs: readonly (readonly string[])[] = [
  ['list', 'ls'],
  ['set', 'add', 'create', 'connect', 'install', 'put', 'new'],
  ['delete', 'remove', 'revoke', 'disconnect', 'uninstall', 'rm', 'unset'],
  ['show', 'get', 'read', 'cat'],
];

/**
 * The verb that is meant by one of other tools.
 * @returns undefined when it is none of these words; null when what it asks for cannot be done
 */
export function sameVerb(typed: string, known: readonly string[]): string | null | undefined {
  const same = verbs.find((words) => words.includes(typed));
  return same && (known.find((verb) => same.includes(verb)) ?? null);
}
