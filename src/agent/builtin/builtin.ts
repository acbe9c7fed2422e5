import { lazy } from '../../std/index.ts';
import type { OpenModel } from '../loop/askable-model.ts';
import { runModelLoop } from '../loop/model-loop.ts';
import type { HarnessAdapter } from '../types.ts';
import { checkModelHarness } from './check.ts';

/** The platform's own loop. One model call is one step of `ai`. */
export const builtinHarness: HarnessAdapter = {
  kind: 'builtin',
  sumsUp: true,
  check: checkModelHarness,
  run: (input, host) => runModelLoop(input, host, open),
};

/** The library of models takes a fifth of a second to load: only a run pays for it, and only the first one. */
const loadModels = lazy(async () => {
  const [call, open, prompt] = await Promise.all([
    import('./model-call.ts'),
    import('./open-model.ts'),
    import('./prompt.ts'),
  ]);
  return { ...call, ...open, ...prompt };
});

const open: OpenModel = async (name, input, host) => {
  const { callModel, openModelFor, providerOf, countCharacters, toPrompt } = await loadModels();
  const { instructions, tools, harness } = input;
  const model = await openModelFor(name, input, host);
  return {
    provider: providerOf(name, harness),
    prepare(messages) {
      const prompt = toPrompt(messages, model.provider);
      return {
        characters: countCharacters(instructions, prompt, tools),
        call: (options) => callModel({ ...options, model, instructions, prompt, tools }),
      };
    },
  };
};
