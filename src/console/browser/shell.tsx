import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatMs, formatTime } from '../model/format.ts';
import type { PageName } from '../model/places.ts';
import {
  clockOffset,
  connection,
  dropToast,
  follower,
  heardAt,
  never,
  now,
  slug,
  theme,
  toasts,
  turnClock,
  useQuery,
} from './app.ts';
import { BrokenCount } from './build-problems.tsx';
import { cutFor, hasStopped } from './connection.ts';
import { keysShown, palette, useKeys } from './keys.ts';
import { Icon, Square } from './parts.tsx';
import { at, go, place } from './router.ts';
import { useQuestions } from './use-questions.ts';

interface Item {
  readonly page: PageName;
  readonly title: string;
  readonly key: string;
  readonly href: string;
}

const groups: readonly { readonly title: string; readonly items: readonly Item[] }[] = [
  { title: 'Build', items: [{ page: 'functions', title: 'Functions', key: 'g f', href: at({ page: 'functions' }) }] },
  { title: 'Talk', items: [{ page: 'inbox', title: 'Inbox', key: 'g i', href: at({ page: 'inbox' }) }] },
  {
    title: 'Watch',
    items: [
      { page: 'invocations', title: 'Invocations', key: 'g n', href: at({ page: 'invocations' }) },
      { page: 'runs', title: 'Agent runs', key: 'g r', href: at({ page: 'runs' }) },
    ],
  },
];

/** Which place in the navigation a page belongs to. */
const placeInNav: Readonly<Record<PageName, PageName>> = {
  functions: 'functions',
  view: 'functions',
  inbox: 'inbox',
  invocations: 'invocations',
  runs: 'runs',
  trace: 'invocations',
};

/** The navigation, what is wrong with the connection, and the page. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const keys = groups.flatMap(({ items }) => items.map(({ key, href }) => [key, () => go(href)] as const));
  useKeys({
    ...Object.fromEntries(keys),
    '/': () => {
      palette.value = '';
    },
    '?': () => {
      keysShown.value = true;
    },
    '[': () => document.querySelector('.app')?.toggleAttribute('data-rail'),
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="app">
        <Nav />
        <main class="main" id="main" tabIndex={-1}>
          <Banner />
          {children}
        </main>
      </div>
      <Toasts />
    </>
  );
}

function Nav() {
  const workspace = useQuery('workspace.show', {}, never)?.data.value;
  const apps = useQuery('apps.list', {}, never)?.data.value;
  const app = apps?.items.find(({ builtIn }) => !builtIn)?.app;
  useEffect(() => {
    if (workspace) turnClock(Date.parse(workspace.now) - Date.now());
  }, [workspace]);
  const current = place.value && placeInNav[place.value.page];
  return (
    <nav class="nav" aria-label="Console">
      <div class="nav-head">
        <Icon name="mark" size={20} />
        <div class="cut">
          <strong class="cut" dir="auto">
            {workspace?.name ?? slug}
          </strong>
          <span class="small t-3 mono">{app ? `${slug} / ${app}` : slug}</span>
        </div>
      </div>
      <button
        type="button"
        class="nav-search"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          palette.value = '';
        }}
      >
        <Icon name="search" size={14} />
        <span class="grow small">Search or run</span>
        <kbd class="kbd">Ctrl K</kbd>
      </button>
      <div class="nav-groups scroll">
        {groups.map(({ title, items }) => (
          <div class="contents" key={title}>
            <h2>{title}</h2>
            <ul>
              {items.map((item) => (
                <li data-tab key={item.page}>
                  <a
                    class="nav-item"
                    href={item.href}
                    title={`${item.title} (${item.key})`}
                    aria-current={current === item.page ? 'page' : undefined}
                  >
                    <Icon name={item.page} />
                    <span>{item.title}</span>
                    {item.page === 'functions' && <BrokenCount />}
                    {item.page === 'inbox' && <WaitingCount />}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div class="nav-foot">
        <Clock />
        <Live />
        <button type="button" class="nav-item" onClick={nextTheme} title="Light, dark, or as the system has it">
          <Icon name={theme.value === 'dark' ? 'moon' : 'sun'} />
          <span class="grow">
            {theme.value === 'system' ? 'As the system' : theme.value === 'dark' ? 'Dark' : 'Light'}
          </span>
        </button>
      </div>
    </nav>
  );
}

/** How many calls of tools wait for a person. */
function WaitingCount() {
  const count = useQuestions().length;
  if (count === 0) return null;
  return (
    <span class="count" data-tone="wait">
      {count}
      <span class="sr"> {count === 1 ? 'waits' : 'wait'} for you</span>
    </span>
  );
}

function nextTheme(): void {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
}

function Clock() {
  const turned = Math.abs(clockOffset.value) > 5_000;
  return (
    <div class="nav-item" title="The clock of the workspace">
      <Icon name="schedule" />
      <span class="grow">{formatTime(now.value, now.value)}</span>
      {turned && (
        <span class="small turned">{`${clockOffset.value > 0 ? '+' : '−'}${formatMs(Math.abs(clockOffset.value))}`}</span>
      )}
    </div>
  );
}

const words = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', refused: 'Signed out' } as const;
const dots = { connecting: 'reconnecting', live: 'live', reconnecting: 'reconnecting', refused: 'off' } as const;
/** A short cut is not worth a word. */
const quietMs = 2_000;
const bannerMs = 10_000;

function Live() {
  const state = cutFor() < quietMs && connection.value === 'reconnecting' ? 'live' : connection.value;
  const isStopped = hasStopped();
  return (
    <div class="nav-item live" role="status">
      <span class="live-dot" data-state={isStopped ? 'off' : dots[state]} />
      <span class="grow">{isStopped ? 'Stopped' : words[state]}</span>
    </div>
  );
}

function Banner() {
  if (connection.value === 'refused') {
    return (
      <div class="banner" data-tone="error" role="alert">
        <Icon name="lock" />
        <span class="grow">
          <strong>This browser is not signed in any more.</strong> Press <kbd class="kbd">o</kbd> where{' '}
          <code>fn dev</code> runs, or run <code>fn open</code>.
        </span>
      </div>
    );
  }
  const cut = cutFor();
  if (cut < bannerMs) return null;
  const isStopped = hasStopped();
  return (
    <div class="banner" data-tone={isStopped ? 'error' : undefined} role={isStopped ? 'alert' : 'status'}>
      <Icon name={isStopped ? 'stop' : 'wifi-off'} />
      <span class="grow">
        {isStopped ? (
          <>
            <strong>fn dev does not answer.</strong> Start it again; this page comes back by itself.
          </>
        ) : (
          <>
            <strong>Reconnecting.</strong> What you see is from {formatTime(heardAt.value, Date.now())}.
          </>
        )}
      </span>
      <button type="button" class="btn" data-size="s" onClick={() => follower.retry()}>
        Try now
      </button>
    </div>
  );
}

function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text, href }) => (
        <div class="toast" key={key}>
          <span class="grow" dir="auto">
            {text}
          </span>
          {href && (
            <a class="btn" data-kind="quiet" data-size="s" href={href}>
              Open
            </a>
          )}
          <Square icon="close" label="Close" small onClick={() => dropToast(key)} />
        </div>
      ))}
    </div>
  );
}
