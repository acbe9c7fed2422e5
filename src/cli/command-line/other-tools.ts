/** Words of other tools, and our commands for them. */
export const otherWords: ReadonlyMap<string, string> = new Map([
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
  ...here('fn var for values, fn secret for secrets, or "env" in fn.config.json', 'env'),
  ...here('the file fn.config.json. Its fields: fn docs fn.config.json', 'config'),
  ...here('delete the file; to remove it where it is live: fn deploy --prune', 'delete', 'remove', 'rm'),
  ...here('npm install convo-fn@latest', 'update', 'upgrade'),
  ['version', 'The version of fn: fn --version. Deployed versions: fn versions'],
  ['send-template', 'Run send-template on its own, or use: fn template send'],
  ['-v', 'Use it without a command: fn -v'],
  ['--version', 'Use it without a command: fn --version'],
  ['-V', 'Use it without a command: fn -V'],
]);

function here(line: string, ...words: string[]): [string, string][] {
  return words.map((word) => [word, `Use instead: ${line}`]);
}

/** Verbs that mean the same below a word such as `secret`. */
const verbs: readonly (readonly string[])[] = [
  ['list', 'ls'],
  ['set', 'add', 'create', 'connect', 'install', 'put', 'new'],
  ['delete', 'remove', 'revoke', 'disconnect', 'uninstall', 'rm', 'unset'],
  ['show', 'get', 'read', 'cat'],
];

/**
 * Finds our verb for another tool's verb.
 * @returns undefined for an unknown word; null if there is no such action
 */
export function sameVerb(typed: string, known: readonly string[]): string | null | undefined {
  const same = verbs.find((words) => words.includes(typed));
  return same && (known.find((verb) => same.includes(verb)) ?? null);
}

/** Flags of other tools, or of another of our commands, and the flags that mean the same here. */
const flags: Readonly<Record<string, readonly string[]>> = {
  '-d': ['--input'],
  '--data': ['--input'],
  '--input': ['--data'],
  '-n': ['--limit'],
  '--tail': ['--follow'],
  '--env': ['--profile'],
  '--output': ['--json'],
  '--format': ['--json'],
  '--verbose': ['--debug'],
  '--plan': ['--dry-run'],
};

/** Finds our flag for another tool's flag. */
export function sameFlag(typed: string, known: readonly string[]): string | undefined {
  return Object.hasOwn(flags, typed) ? flags[typed]?.find((flag) => known.includes(flag)) : undefined;
}

/** The flag of Node's test runner for one of another test runner; any other flag may be one of Node's. */
export function nodeTestFlag(typed: string): string {
  return ['-t', '-g', '--grep'].includes(typed) ? '--test-name-pattern=TEXT' : typed;
}
