import { FnError } from '../../std/index.ts';
import { testFileOf } from '../conversation-tests/test-file.ts';
import { readWhatHappened, refuse } from '../conversation-tests/what-happened.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

export function testHandlers({ apps, door }: MachineParts): HandlersOf<'tests'> {
  return {
    async 'tests.save'({ conversationId, name }) {
      const text = testFileOf(name, conversationId, await readWhatHappened(door(systemCaller), conversationId));
      const source = (await apps.all()).find(({ saveTest }) => saveTest !== undefined);
      if (!source?.saveTest) throw refuse('No app is in development here', 'Start "fn dev" in the folder of an app.');
      try {
        return { file: await source.saveTest(name, text) };
      } catch (error) {
        if (!(error instanceof FnError)) throw error;
        throw refuse(error.message, error.hint);
      }
    },
  };
}
