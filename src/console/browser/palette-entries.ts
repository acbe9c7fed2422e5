import { commandLine } from '../model/command-lines.ts';
import { editorLink, editors } from '../model/editor.ts';
import { formatMs, formatTime, nameOf, shortId } from '../model/format.ts';
import { chosenFrom, type PaletteEntry } from '../model/palette-choice.ts';
import { placeOfId } from '../model/places.ts';
import { about, appFolder, copy, editor, never, now, toast, today, useQuery } from './app.ts';
import { useBuilds } from './build-problems.tsx';
import { chosenEditor } from './open-in-editor.tsx';
import { at } from './router.ts';
import { useFunctions } from './use-functions.ts';
import { useQuestions } from './use-questions.ts';

/** What the palette offers for what is typed, group by group. */
export function useEntries(typed: string): PaletteEntry[] {
  const names = useNames();
  const byId = placeOfId(typed.trim().replace(/^#/, ''));
  const opened: PaletteEntry[] = byId
    ? [{ group: 'Go to', icon: 'arrow', title: typed.trim().replace(/^#/, ''), href: at(byId) }]
    : [];
  const all = [
    ...useOpenQuestions(names),
    ...useFunctionEntries(),
    ...pages(),
    ...useConversations(names),
    ...useFailures(),
    ...editorChoices(),
  ];
  return [...opened, ...chosenFrom(all, typed)];
}

type Names = ReadonlyMap<string, string>;

/** Of customers. */
function useNames(): Names {
  const customers = useQuery('customers.list', { limit: 200 }, never)?.data.value;
  return new Map(customers?.items.map((customer) => [customer.id, nameOf(customer)]));
}

function useOpenQuestions(names: Names): PaletteEntry[] {
  const conversations = useQuery('conversations.list', { inbox: 'all', limit: 200 }, never)?.data.value;
  const customerOf = new Map(conversations?.items.map(({ id, customerId }) => [id, names.get(customerId)]));
  return useQuestions().map(({ id, title, tool, conversationId, runId, expiresAt }) => {
    const name = conversationId === null ? undefined : customerOf.get(conversationId);
    const left = Math.max(0, Date.parse(expiresAt) - now.value);
    return {
      group: 'Waits for you',
      icon: 's-waiting',
      title: `${title ?? tool}${name === undefined ? '' : ` for ${name}`}?`,
      about: `${tool}, ${formatMs(left)} left`,
      isAlways: true,
      href: at(
        conversationId !== null
          ? { page: 'inbox', conversationId }
          : runId !== null
            ? { page: 'runs', id: runId }
            : { page: 'trace', id },
      ),
    };
  });
}

function useFunctionEntries(): PaletteEntry[] {
  const builds = useBuilds();
  return useFunctions().items.flatMap(({ app, name, type, isLocal }): PaletteEntry[] => {
    const called = isLocal ? name : `${app}/${name}`;
    const isView = type === 'custom-view';
    const href = at({ page: isView ? 'view' : 'functions', app, name });
    const entries: PaletteEntry[] = [
      { group: 'Do', icon: 'play', title: `${isView ? 'Open' : 'Invoke'} ${called}`, isAlways: isLocal, href },
    ];
    if (!isLocal) return entries;
    const file = builds.find((build) => build.app === app && build.function === name)?.file;
    const link = file && appFolder ? editorLink(chosenEditor(), appFolder, { file }) : undefined;
    if (link !== undefined)
      entries.push({
        group: 'Do',
        icon: 'editor',
        title: `Open ${called} in ${editors[chosenEditor()]}`,
        about: file ?? '',
        run: () => location.assign(link),
      });
    if (isView) return entries;
    for (const line of [commandLine('fn', 'invoke', name), commandLine('fn', 'logs', name, '-f')])
      entries.push({
        group: 'Say it in the terminal',
        icon: 'terminal',
        title: line,
        about: 'copies the line',
        run: () => copy(line, 'the line'),
      });
    return entries;
  });
}

const pages = (): PaletteEntry[] => [
  { group: 'Go to', icon: 'functions', title: 'Functions', isAlways: true, href: at({ page: 'functions' }) },
  { group: 'Go to', icon: 'inbox', title: 'Inbox', isAlways: true, href: at({ page: 'inbox' }) },
  { group: 'Go to', icon: 'invocations', title: 'Invocations', isAlways: true, href: at({ page: 'invocations' }) },
  { group: 'Go to', icon: 'runs', title: 'Agent runs', isAlways: true, href: at({ page: 'runs' }) },
  {
    group: 'Go to',
    icon: 'invocations',
    title: 'Invocations that failed',
    isAlways: true,
    href: at({ page: 'invocations' }, { status: 'error' }),
  },
];

function useConversations(names: Names): PaletteEntry[] {
  const conversations = useQuery('conversations.list', { inbox: 'all', limit: 200 }, never)?.data.value;
  return (conversations?.items ?? []).map(({ id, customerId }) => ({
    group: 'Go to',
    icon: 'messaging',
    title: names.get(customerId) ?? customerId,
    about: `conversation ${shortId(id)}`,
    href: at({ page: 'inbox', conversationId: id }),
  }));
}

/** The newest invocations that failed. */
function useFailures(): PaletteEntry[] {
  const failed = useQuery('invocations.list', { status: 'error', limit: 50 }, about(/^live\.invocation$/))?.data.value;
  return (failed?.items ?? []).map(({ id, function: name, status, startedAt }) => ({
    group: 'Go to',
    icon: 'invocations',
    title: `${name}, ${status}`,
    about: `${formatTime(startedAt, today.value)}, ${shortId(id)}`,
    href: at({ page: 'invocations', id }),
  }));
}

/** In which editor files are opened. */
function editorChoices(): PaletteEntry[] {
  if (appFolder === undefined) return [];
  return Object.entries(editors).map(([name, title]) => ({
    group: 'Do',
    icon: 'editor',
    title: `Open files in ${title}`,
    about: editor.value === name ? 'chosen' : 'editor',
    run: () => {
      editor.value = name;
      toast(`Files are opened in ${title}`);
    },
  }));
}
