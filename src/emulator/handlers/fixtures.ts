import { refusal } from '../../contract/index.ts';
import { FnError } from '../../std/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import { builtInExample } from '../sources/built-in/index.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

export function fixtureHandlers({ apps, door }: MachineParts): HandlersOf<'fixtures'> {
  const sourceOf = async (app: string, name: string) => {
    const source = await apps.requireSource(app);
    if ((await source.list()).some((one) => one.name === name)) return source;
    throw refusal('function_not_found', `There is no function "${name}" in ${app}`);
  };
  return {
    async 'fixtures.list'({ app, function: name }) {
      const source = await sourceOf(app, name);
      if (source.fixtures) return { items: (await source.fixtures(name)) as never };
      const example = await builtInExample(app, name, door(systemCaller));
      return { items: example === undefined ? [] : [{ name: 'example', input: example as never }] };
    },
    async 'fixtures.save'({ app, function: name, name: fixture, input }) {
      const source = await sourceOf(app, name);
      if (!source.saveFixture) throw refusal('fixture_unsavable', `${app} is not an app in development here`);
      try {
        return { file: await source.saveFixture(name, fixture, input) };
      } catch (error) {
        if (!(error instanceof FnError)) throw error;
        throw refusal('fixture_unsavable', error.message, { hint: error.hint, cause: error });
      }
    },
  };
}
