import { ProjectError } from '../../../std/index.ts';

/** What is known about a function of an app. */
interface Known {
  readonly name: string;
  readonly config?: object;
}

/**
 * Finds surplus functions: a second setup would never run, and no model accepts two tools with the same name.
 * @returns the problem of each surplus function, by name
 */
export function surplusFunctions(functions: readonly Known[]): ReadonlyMap<string, ProjectError> {
  const firsts = new Map<string, string>();
  const problems = new Map<string, ProjectError>();
  for (const { name, config } of [...functions].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { type, name: toolName } = { ...config } as { type?: unknown; name?: unknown };
    if (type !== 'custom-app-setup' && type !== 'ai-tool') continue;
    const only = type === 'ai-tool' ? `tool ${String(toolName)}` : 'setup';
    const first = firsts.get(only);
    if (first === undefined) firsts.set(only, name);
    else problems.set(name, type === 'ai-tool' ? secondTool(name, first, String(toolName)) : secondSetup(name, first));
  }
  return problems;
}

function secondSetup(name: string, first: string): ProjectError {
  return new ProjectError(
    'setup_twice',
    `${name} is a second Custom App Setup; an app can have only one, and it already has ${first}`,
    {
      hint: 'Combine them, or start the other’s name with an underscore and import it.',
    },
  );
}

function secondTool(name: string, first: string, toolName: string): ProjectError {
  return new ProjectError('tool_name_twice', `${name} has the same tool name as ${first}: "${toolName}"`, {
    hint: 'Change config.name in one of them: models tell tools apart by this name only.',
  });
}
