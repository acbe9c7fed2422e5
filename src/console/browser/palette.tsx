import { useEffect, useRef, useState } from 'preact/hooks';
import { commandLine } from '../model/command-lines.ts';
import { editors } from '../model/editor.ts';
import { nameOf } from '../model/format.ts';
import { markedOf, scoreOf } from '../model/matching.ts';
import { placeOfId } from '../model/places.ts';
import { appFolder, copy, editor, never, toast, useQuery } from './app.ts';
import { keysShown, palette } from './keys.ts';
import { Icon, Square } from './parts.tsx';
import { at, go } from './router.ts';
import { useFunctions } from './use-functions.ts';

interface Entry {
  readonly group: 'Do' | 'Go to' | 'Say it in the terminal';
  readonly icon: string;
  readonly title: string;
  readonly about?: string;
  readonly href?: string;
  readonly run?: () => void;
}

const maxShown = 12;

/** Search or run: every page, function and conversation, and the commands that do the same. */
export function Palette() {
  if (palette.value === undefined) return null;
  return <Open />;
}

function useEntries(typed: string): Entry[] {
  const functions = useFunctions();
  const conversations = useQuery('conversations.list', { inbox: 'all', limit: 50 }, never)?.data.value;
  const customers = useQuery('customers.list', { limit: 200 }, never)?.data.value;
  const names = new Map(customers?.items.map((customer) => [customer.id, nameOf(customer)]));
  const entries: Entry[] = [
    { group: 'Go to', icon: 'functions', title: 'Functions', href: at({ page: 'functions' }) },
    { group: 'Go to', icon: 'inbox', title: 'Inbox', href: at({ page: 'inbox' }) },
    { group: 'Go to', icon: 'invocations', title: 'Invocations', href: at({ page: 'invocations' }) },
    { group: 'Go to', icon: 'runs', title: 'Agent runs', href: at({ page: 'runs' }) },
    {
      group: 'Go to',
      icon: 'invocations',
      title: 'Invocations that failed',
      href: at({ page: 'invocations' }, { status: 'error' }),
    },
  ];
  if (appFolder !== undefined) {
    for (const [name, title] of Object.entries(editors)) {
      const isChosen = editor.value === name;
      entries.push({
        group: 'Do',
        icon: 'editor',
        title: `Open files in ${title}`,
        about: isChosen ? 'chosen' : 'editor',
        run: () => {
          editor.value = name;
          toast(`Files are opened in ${title}`);
        },
      });
    }
  }
  for (const { app, name, type, isLocal } of functions.items) {
    const called = isLocal ? name : `${app}/${name}`;
    const href = type === 'custom-view' ? at({ page: 'view', app, name }) : at({ page: 'functions', app, name });
    entries.push({ group: 'Do', icon: 'play', title: `${type === 'custom-view' ? 'Open' : 'Invoke'} ${called}`, href });
    if (isLocal && type !== 'custom-view') {
      for (const line of [commandLine('fn', 'invoke', name), commandLine('fn', 'logs', name, '-f')])
        entries.push({
          group: 'Say it in the terminal',
          icon: 'terminal',
          title: line,
          about: 'copies the line',
          run: () => copy(line, 'the line'),
        });
    }
  }
  for (const { id, customerId } of conversations?.items ?? [])
    entries.push({
      group: 'Go to',
      icon: 'messaging',
      title: names.get(customerId) ?? customerId,
      about: `conversation ${id}`,
      href: at({ page: 'inbox', conversationId: id }),
    });
  const byId = placeOfId(typed.trim().replace(/^#/, ''));
  if (byId) entries.unshift({ group: 'Go to', icon: 'arrow', title: typed.trim(), href: at(byId) });
  const scored = entries.flatMap((entry) => {
    const score = scoreOf(`${entry.title} ${entry.about ?? ''}`, typed.replace(/^#/, ''));
    return score === undefined ? [] : [{ entry, score }];
  });
  scored.sort((a, b) => a.score - b.score);
  const shown = scored.slice(0, maxShown).map(({ entry }) => entry);
  const order = ['Do', 'Go to', 'Say it in the terminal'];
  return shown.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

function Open() {
  const [typed, setTyped] = useState(palette.value ?? '');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(typed);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const close = () => {
    palette.value = undefined;
  };
  const act = (entry: Entry | undefined, inNewTab: boolean) => {
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
                    {markedOf(entry.title, typed).map(({ text, isFound }, part) =>
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
    </dialog>
  );
}

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
  ['t b', 'take over from the AI · hand back'],
  ['n', 'internal note'],
  ['Ctrl Enter', 'send, invoke'],
  ['p', 'stop or go on following'],
  ['[', 'navigation as a rail'],
];

/** All keys. */
export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = keysShown.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
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
