/** Variables of a process, passed in so that tests can have their own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether this runs in CI, where nothing is stored and no questions are asked. */
export function isCi(env: Environment = process.env): boolean {
  const value = env['CI'];
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** Whether this process runs in a step of GitHub Actions, whose runner obeys commands in the step's output. */
export function isGitHubActions(env: Environment): boolean {
  return env['GITHUB_ACTIONS'] === 'true';
}
