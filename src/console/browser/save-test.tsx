import { useState } from 'preact/hooks';
import { call, toast } from './app.ts';
import { useKeys } from './keys.ts';
import { Icon, ProblemNotice, useAction } from './parts.tsx';

/** Whether the name of a test is asked for. */
export interface SavingTest {
  readonly name: string | undefined;
  readonly setName: (name: string | undefined) => void;
  readonly toggle: () => void;
}

/** The state of saving a conversation as a test, with its key. */
export function useSavingTest(): SavingTest {
  const [name, setName] = useState<string>();
  const toggle = () => setName(name === undefined ? '' : undefined);
  useKeys({ s: toggle });
  return { name, setName, toggle };
}

export function SaveTestButton({ saving }: { readonly saving: SavingTest }) {
  return (
    <button type="button" class="btn" data-size="s" title="Save as test (s)" onClick={saving.toggle}>
      <Icon name="test" size={14} />
      Save as test
    </button>
  );
}

/** Asks for the name of the test; says why, if the conversation cannot be one. */
export function SaveTest({ conversationId, saving }: { readonly conversationId: string; readonly saving: SavingTest }) {
  const { name, setName } = saving;
  const save = useAction(async () => {
    const { file } = await call('tests.save', { conversationId: conversationId as never, name: name ?? '' });
    setName(undefined);
    toast(`Saved: ${file}. Run it: fn test ${file}`);
  });
  if (name === undefined) return null;
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          save.act();
        }}
      >
        <label class="sr" for="save-test-as">
          Name of the test
        </label>
        <input
          class="input grow"
          id="save-test-as"
          autofocus
          autocomplete="off"
          placeholder="Name of the test"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setName(undefined);
          }}
        />
        <button type="submit" class="btn" disabled={save.isBusy || name === ''}>
          Save
        </button>
      </form>
      {save.problem && <ProblemNotice problem={save.problem} />}
    </>
  );
}
