import { nearest, ProjectError } from '../std/index.ts';

/**
 * Resolves the function that a person names: by its name (`tools/refund`), by its last part or parts where unique (`refund`), or by a path
 * in the app (`functions/tools/refund.ts`).
 * @throws ProjectError `function_ambiguous` listing the candidates, `function_unknown` suggesting a near name
 */
export function resolveFunctionName<T extends { readonly name: string }>(functions: readonly T[], asked: string): T {
  const wanted = asked
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/^functions\//, '')
    .replace(/\.(?:js|mjs|jsx|ts|mts|tsx)$/, '');
  const exact = functions.find(({ name }) => name === wanted || name === asked);
  if (exact !== undefined) return exact;
  const ending = wanted === '' ? [] : functions.filter(({ name }) => name.endsWith(`/${wanted}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  if (ending.length > 1)
    throw new ProjectError('function_ambiguous', `${asked} is ambiguous: it may be ${listed(ending)}`, {
      hint: 'Use the full name.',
    });
  throw unknownFunction(
    asked,
    functions.map(({ name }) => name),
  );
}

function unknownFunction(asked: string, names: readonly string[]): ProjectError {
  const lasts = names.map((name) => name.split('/').at(-1) ?? name);
  const near = nearest(asked, names) ?? names[lasts.indexOf(nearest(asked, lasts) ?? '\0')];
  const hint =
    names.length === 0
      ? 'The app has no functions yet. Create one with "fn init".'
      : near !== undefined
        ? `Did you mean ${near}?`
        : `Use ${listed(names.map((name) => ({ name })))}.`;
  return new ProjectError('function_unknown', `There is no function ${asked}`, { hint });
}

function listed(functions: readonly { readonly name: string }[]): string {
  const names = functions.slice(0, 8).map(({ name }) => name);
  const rest = functions.length - names.length;
  if (rest > 0) return `${names.join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
