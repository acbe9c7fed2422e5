import { type Environment, isGitHubActions } from '../../std/index.ts';

const ESC = '\\u001b';
/** What the runner of GitHub Actions reads as a command: `::` at the start of a line, `##[` anywhere. */
const atStart = new RegExp(`^((?:\\s|${ESC}\\[\\d+m)*)::`, 'gm');
const anywhere = /##\[/g;

/**
 * Makes text harmless to the runner of GitHub Actions, which obeys lines such as `::add-mask::` in the output of a step, whoever wrote them: a
 * function, a customer, a workspace. Elsewhere the text stays as it is.
 */
export function stopCommandsIn(env: Environment): (text: string) => string {
  if (!isGitHubActions(env)) return (text) => text;
  return (text) => text.replace(atStart, '$1: :').replace(anywhere, '## [');
}

/** The same for JSON in one line, whose value stays the same. */
export function stopCommandsInJson(env: Environment): (json: string) => string {
  return isGitHubActions(env) ? (json) => json.replace(anywhere, '##\\u005b') : (json) => json;
}
