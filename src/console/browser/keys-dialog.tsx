import { keysShown } from './keys.ts';
import { Square } from './parts.tsx';
import { useModal } from './use-modal.ts';

const keyTable: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K  /', 'search or run'],
  ['g f', 'Functions'],
  ['g i', 'Inbox'],
  ['g n', 'Invocations'],
  ['g r', 'Agent runs'],
  ['j k', 'next, previous'],
  ['Esc', 'close, back'],
  ['r', 'again'],
  ['s', 'save as a test or a fixture'],
  ['o', 'open in the editor'],
  ['e', 'again with edited input · close the conversation'],
  ['c', 'copy as curl · write to a customer'],
  ['x', 'copy as fn line'],
  ['a d', 'allow · deny what waits for you'],
  ['t b', 'take over from the AI · hand back'],
  ['n', 'internal note'],
  ['Ctrl Enter', 'send, invoke'],
  ['p', 'stop or go on following'],
  ['[', 'navigation as a rail'],
];

/** All keys. */
export function KeysDialog() {
  return keysShown.value ? <Open /> : null;
}

function Open() {
  const dialog = useModal();
  const close = () => {
    keysShown.value = false;
  };
  return (
    <dialog class="palette" ref={dialog} aria-labelledby="keys-title" onClose={close}>
      <header class="pane-head">
        <h2 id="keys-title">Keys</h2>
        <span class="grow" />
        <Square icon="close" label="Close" onClick={close} />
      </header>
      <dl class="pairs section">
        {keyTable.map(([keys, what]) => (
          <>
            <dt>
              <kbd class="kbd">{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
    </dialog>
  );
}
