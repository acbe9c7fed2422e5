import { render } from 'preact';
import { begin } from './app.ts';
import { FunctionsPage } from './functions.tsx';
import { listenToKeys } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { lazyPage } from './lazy-page.tsx';
import { Palette } from './palette.tsx';
import { Empty } from './parts.tsx';
import { followLinks, place } from './router.ts';
import { Shell } from './shell.tsx';

/** Pages are loaded when they are opened, but for the first one. */
const InboxPage = lazyPage(() => import('./inbox.tsx').then((module) => module.InboxPage));
const InvocationsPage = lazyPage(() => import('./invocations.tsx').then((module) => module.InvocationsPage));
const RunsPage = lazyPage(() => import('./runs.tsx').then((module) => module.RunsPage));
const TracePage = lazyPage(() => import('./trace.tsx').then((module) => module.TracePage));
const ViewPage = lazyPage(() => import('./view.tsx').then((module) => module.ViewPage));

function Page() {
  const shown = place.value;
  switch (shown?.page) {
    case 'functions':
      return <FunctionsPage />;
    case 'inbox':
      return <InboxPage />;
    case 'invocations':
      return <InvocationsPage />;
    case 'runs':
      return <RunsPage />;
    case 'trace':
      return <TracePage key={shown.id} />;
    case 'view':
      return <ViewPage key={`${shown.app}/${shown.name}`} />;
    default:
      return <Empty icon="search" title="There is nothing at this address" />;
  }
}

followLinks();
listenToKeys();
const root = document.getElementById('console');
if (root) {
  const ready = begin();
  await ready;
  render(
    <>
      <Shell>
        <Page />
      </Shell>
      <Palette />
      <KeysDialog />
    </>,
    root,
  );
}
