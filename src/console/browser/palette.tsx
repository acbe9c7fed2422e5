import { useState } from 'preact/hooks';
import { markedOf } from '../model/matching.ts';
import type { PaletteEntry } from '../model/palette-choice.ts';
import { palette } from './keys.ts';
import { useEntries } from './palette-entries.ts';
import { Icon } from './parts.tsx';
import { go } from './router.ts';
import { useModal } from './use-modal.ts';

/** Search or run: every page, function and conversation, and the commands that do the same. */
export function Palette() {
  if (palette.value === undefined) return null;
  return <Open />;
}

function Open() {
  const [typed, setTyped] = useState(palette.value ?? '');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(typed);
  const dialog = useModal();
  const close = () => {
    palette.value = undefined;
  };
  const act = (entry: PaletteEntry | undefined, inNewTab: boolean) => {
    if (!entry) return;
    close();
    if (entry.href === undefined) entry.run?.();
    else if (inNewTab) window.open(entry.href, '_blank', 'noopener');
    else go(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const by = key === 'ArrowDown' ? 1 : entries.length - 1;
      setChosen((chosen + by) % Math.max(1, entries.length));
    } else if (key === 'Enter') {
      event.preventDefault();
      act(entries[chosen], event.ctrlKey || event.metaKey);
    }
  };
  const looked = typed.replace(/^[>#]/, '');
  const shownGroups = [...new Set(entries.map(({ group }) => group))];
  return (
    <dialog class="palette" ref={dialog} aria-label="Search or run" onClose={close}>
      <div class="palette-ask">
        <Icon name="search" />
        <input
          autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries[chosen] ? `palette-${chosen}` : undefined}
          aria-label="Search or run"
          value={typed}
          spellcheck={false}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd class="kbd">Esc</kbd>
      </div>
      <div class="palette-list scroll" id="palette-list" role="listbox" aria-label="Results">
        {shownGroups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
          <div role="group" aria-label={group} key={group}>
            <span class="palette-group" aria-hidden="true">
              {group}
            </span>
            {entries.map((entry, index) =>
              entry.group !== group ? null : (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                <div
                  key={`${entry.title} ${entry.about ?? ''} ${entry.href ?? ''}`}
                  class="palette-item"
                  role="option"
                  id={`palette-${index}`}
                  aria-selected={index === chosen}
                  onClick={(event) => act(entry, event.ctrlKey || event.metaKey)}
                >
                  <Icon name={entry.icon} />
                  <span class="cut" dir="auto">
                    {markedOf(entry.title, looked).map(({ text, isFound }, part) =>
                      isFound ? <mark key={part}>{text}</mark> : text,
                    )}
                  </span>
                  <span class="t-3 small cut grow">{entry.about}</span>
                  {index === chosen && <kbd class="kbd">↵</kbd>}
                </div>
              ),
            )}
          </div>
        ))}
        {entries.length === 0 && <p class="palette-group">Nothing fits. An id opens what it stands for.</p>}
      </div>
      <p class="palette-foot">
        <span>
          <kbd class="kbd">↑</kbd>
          <kbd class="kbd">↓</kbd>choose
        </span>
        <span>
          <kbd class="kbd">↵</kbd>do it
        </span>
        <span>
          <kbd class="kbd">Ctrl ↵</kbd>in a new tab
        </span>
        <span class="grow" />
        <span>
          <kbd class="kbd">&gt;</kbd>only actions
        </span>
        <span>
          <kbd class="kbd">#</kbd>ids
        </span>
      </p>
    </dialog>
  );
}
