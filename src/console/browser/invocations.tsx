import { useEffect, useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { curlLine, invokeLine } from '../model/command-lines.ts';
import { formatBytes, formatCount, formatMs, formatWhole } from '../model/format.ts';
import type { Problem } from '../model/problem.ts';
import { inputOf, repeatOf, requestOf } from '../model/repeat.ts';
import { stackLinesOf } from '../model/stack.ts';
import type { Pages } from '../model/store.ts';
import { fallOfInvocation } from '../model/waterfall.ts';
import { about, call, copy, never, onChange, store, toast, tokenFile, useQuery, useShown } from './app.ts';
import { useSourceFile } from './build-problems.tsx';
import { moveInList, useKeys } from './keys.ts';
import { OpenInEditor, SourceLink } from './open-in-editor.tsx';
import { PageTitle } from './page-title.tsx';
import { Bones, Code, Empty, Icon, ProblemNotice, Square, Status, Time, useAction } from './parts.tsx';
import { ask, at, go, place, query } from './router.ts';
import { Trail } from './trail.tsx';
import { Waterfall } from './waterfall.tsx';

type Listed = Output<'invocations.list'>['items'][number];
type Invocation = Output<'invocations.show'>;
type Status_ = Listed['status'];

const statuses: readonly Status_[] = ['ok', 'error', 'timeout', 'memory', 'crashed', 'refused'];
const pageSize = 100;
/** Height of a row; all are alike, so that a list can be as long as it likes. */
const rowHeight = 56;

interface Filter {
  readonly app?: string;
  readonly function?: string;
  readonly status?: Status_;
}

/** The list, and one invocation beside it. */
export function InvocationsPage() {
  const shown = place.value;
  const id = shown?.page === 'invocations' ? shown.id : undefined;
  return (
    <>
      <PageTitle title="Invocations" />
      <div class="split two-pane" data-pane={id === undefined ? 'list' : 'detail'}>
        <List chosen={id} />
        <section class="pane" aria-label="Invocation" data-part="detail">
          {id === undefined ? (
            <Empty icon="invocations" title="Choose an invocation">
              <p>Its calls, its console and its answer stand here.</p>
            </Empty>
          ) : (
            <Detail key={id} id={id} />
          )}
        </section>
      </div>
    </>
  );
}

function filterOf(search: URLSearchParams): Filter {
  const [app, name, status] = ['app', 'function', 'status'].map((key) => search.get(key) || undefined);
  return {
    ...(app !== undefined && { app }),
    ...(name !== undefined && { function: name }),
    ...(statuses.some((one) => one === status) && { status: status as Status_ }),
  };
}

function useList(filter: Filter) {
  const list = store.pages<Listed>(
    `invocation pages ${JSON.stringify(filter)}`,
    (cursor) => call('invocations.list', { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }),
    about(/^(?:live\.invocation$|function\.(?:invoked|failed))/),
  );
  useShown(list);
  return { pages: list.data.value, problem: list.problem.value, more: list.more };
}

function List({ chosen }: { readonly chosen: string | undefined }) {
  const filter = filterOf(query.value);
  const { pages, problem, more } = useList(filter);
  const [follows, setFollows] = useState(true);
  /** What is shown while one does not follow. */
  const held = useRef<Pages<Listed> | undefined>(undefined);
  if (follows || held.current === undefined) held.current = pages;
  const shown = follows ? pages : held.current;
  const newer = follows || !pages || !shown ? 0 : pages.items.findIndex(({ id }) => id === shown.items[0]?.id);
  const scroll = useRef<HTMLDivElement>(null);
  useKeys({
    j: () => moveInList(scroll.current, 1),
    k: () => moveInList(scroll.current, -1),
    ArrowDown: () => moveInList(scroll.current, 1),
    ArrowUp: () => moveInList(scroll.current, -1),
    p: () => setFollows(!follows),
  });
  const filtered = Object.values(filter).length > 0;
  return (
    <section class="pane" aria-label="Invocations" data-part="list">
      <header class="pane-head">
        <h2>Invocations</h2>
        {pages && (
          <span class="count">
            {formatCount(pages.items.length)}
            {pages.nextCursor === null ? '' : '+'}
          </span>
        )}
        <span class="grow" />
        {newer > 0 && (
          <button type="button" class="btn" data-size="s" onClick={() => setFollows(true)}>
            {newer} new
          </button>
        )}
        <Square
          icon={follows ? 'pause' : 'play'}
          label={follows ? 'Stop following new ones (p)' : 'Follow new ones (p)'}
          isPressed={!follows}
          onClick={() => setFollows(!follows)}
        />
      </header>
      <div class="bar">
        <div class="search">
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Function"
            aria-label="Filter by function"
            value={filter.function ?? ''}
            onChange={(event) => ask({ function: event.currentTarget.value.trim() })}
          />
        </div>
        <select
          class="select status-filter"
          aria-label="Filter by status"
          value={filter.status ?? ''}
          onChange={(event) => ask({ status: event.currentTarget.value })}
        >
          <option value="">Any</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!shown ? (
        <Bones />
      ) : shown.items.length > 0 ? (
        <Rows items={shown.items} chosen={chosen} hasMore={shown.nextCursor !== null} more={more} scroll={scroll} />
      ) : filtered ? (
        <Empty icon="search" title="No invocation fits">
          <button
            type="button"
            class="btn"
            onClick={() => ask({ app: undefined, function: undefined, status: undefined })}
          >
            Clear the filter
          </button>
        </Empty>
      ) : (
        <Empty icon="invocations" title="Nothing has been invoked yet" command="fn invoke NAME">
          <p>Call a function, and it stands here with its calls, its console and its result.</p>
        </Empty>
      )}
    </section>
  );
}

interface RowsProps {
  readonly items: readonly Listed[];
  readonly chosen: string | undefined;
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
  readonly scroll: { current: HTMLDivElement | null };
}

/** Only the rows in view are in the document, however many there are. */
function Rows({ items, chosen, hasMore, more, scroll }: RowsProps) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(900);
  const { act: readMore, isBusy, problem } = useAction(more);
  useEffect(() => {
    setHeight(scroll.current?.clientHeight ?? 900);
  }, []);
  const first = Math.max(0, Math.floor(top / rowHeight) - 5);
  const count = Math.ceil(height / rowHeight) + 10;
  const onScroll = ({ currentTarget }: { currentTarget: HTMLDivElement }) => {
    setTop(currentTarget.scrollTop);
    setHeight(currentTarget.clientHeight);
    const isNearEnd = currentTarget.scrollTop + 2 * currentTarget.clientHeight > currentTarget.scrollHeight;
    if (isNearEnd && hasMore) readMore();
  };
  return (
    <div class="pane-body scroll" ref={scroll} onScroll={onScroll}>
      <ul
        aria-label="Newest first"
        style={{
          paddingTop: `${first * rowHeight}px`,
          paddingBottom: `${Math.max(0, items.length - first - count) * rowHeight}px`,
        }}
      >
        {items.slice(first, first + count).map((item) => (
          <Row key={item.id} item={item} isChosen={item.id === chosen} />
        ))}
      </ul>
      {hasMore && items.length <= pageSize && (
        <p class="section">
          <button type="button" class="btn" data-size="s" disabled={isBusy} onClick={() => readMore()}>
            Older
          </button>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </div>
  );
}

const triggerIcons: Readonly<Record<string, string>> = {
  http: 'http',
  flow: 'flows',
  agent: 'ai',
  mcp: 'plug',
  cron: 'schedule',
  setup: 'settings',
  cli: 'terminal',
  method: 'functions',
  view: 'views',
  job: 'again',
  event: 'events',
};

function Row({ item, isChosen }: { readonly item: Listed; readonly isChosen: boolean }) {
  const { id, status, function: name, trigger, wallMs, startedAt, error } = item;
  const href = at({ page: 'invocations', id }, Object.fromEntries(query.value));
  return (
    <li>
      <a
        class="row"
        href={href}
        aria-current={isChosen ? 'true' : undefined}
        aria-label={`${status}, ${name}, by ${trigger}, ${formatMs(wallMs)}`}
      >
        <Status state={status} />
        <span class="row-name">
          <code>{name}</code>
        </span>
        <Time at={startedAt} />
        <span class="row-2">
          <Icon name={triggerIcons[trigger] ?? 'functions'} size={14} />
          <span class="cut grow">{error ? `${trigger} · ${error.name}` : trigger}</span>
          <span>{formatMs(wallMs)}</span>
        </span>
      </a>
    </li>
  );
}

function Detail({ id }: { readonly id: string }) {
  // The record is written a moment after its end is told.
  const shown = useQuery('invocations.show', { id: id as never }, never);
  const invocation = shown?.data.value;
  const problem = shown?.problem.value;
  const [call_, setCall] = useState<number>();
  useEffect(
    () =>
      onChange(
        ({ type, data }) => void (type === 'live.invocation' && data['invocationId'] === id && shown?.refresh()),
      ),
    [id],
  );
  const again = useAction(async () => {
    if (!invocation) return;
    try {
      const done = await call('functions.invoke', repeatOf(invocation));
      go(at({ page: 'invocations', id: done.invocationId }));
    } catch (error) {
      const made = (error as Problem).details['invocationId'];
      if (typeof made !== 'string') throw error;
      go(at({ page: 'invocations', id: made }));
    }
  });
  const edit = () => {
    if (!invocation) return;
    const input = inputOf(invocation.type, invocation.input);
    const place = { page: 'functions', app: invocation.app, name: invocation.function } as const;
    go(at(place, { input: input === undefined ? undefined : JSON.stringify(input) }));
  };
  const copyLine = () => {
    if (!invocation) return;
    const { app, function: name, version, type, input } = invocation;
    void copy(invokeLine(app, name, inputOf(type, input), version === 'local', tokenFile !== undefined), 'the line');
  };
  const request = invocation && requestOf(invocation, location.origin);
  const copyCurl = () => {
    if (request) void copy(curlLine(request, tokenFile), 'the request');
  };
  const input = invocation && inputOf(invocation.type, invocation.input);
  const canSave = invocation?.version === 'local' && input !== undefined && invocation.type !== 'custom-app-setup';
  const file = useSourceFile(invocation?.app, invocation?.function);
  const [frame] = stackLinesOf(invocation?.error?.stack ?? '');
  const source = frame ?? file;
  const [saveAs, setSaveAs] = useState<string>();
  const save = useAction(async () => {
    if (!invocation || saveAs === undefined || saveAs === '') return;
    const { app, function: name } = invocation;
    const { file } = await call('fixtures.save', { app, function: name, name: saveAs, input: input as never });
    setSaveAs(undefined);
    toast(`Saved: ${file}`, at({ page: 'functions', app, name }));
  });
  useKeys({
    Escape: () => go(at({ page: 'invocations' }, Object.fromEntries(query.value))),
    s: () => canSave && setSaveAs(''),
    r: () => again.act(),
    e: edit,
    x: copyLine,
    c: copyCurl,
  });
  if (problem && !invocation) {
    return (
      <div class="section">
        <ProblemNotice problem={problem}>
          <a class="btn" href={at({ page: 'invocations' })}>
            To the newest
          </a>
        </ProblemNotice>
      </div>
    );
  }
  if (!invocation) return <Bones />;
  return (
    <>
      <header class="pane-head">
        <Square
          icon="left"
          label="Back to the invocations"
          only="narrow"
          onClick={() => go(at({ page: 'invocations' }))}
        />
        <Status state={invocation.status} />
        <h2 class="cut">
          <code class="h-code">{invocation.function}</code>
        </h2>
        <span class="badge">{invocation.trigger}</span>
        <span class="grow" />
        <div class="head-actions">
          <button type="button" class="btn" data-kind="primary" disabled={again.isBusy} onClick={() => again.act()}>
            <Icon name="again" size={14} />
            Again
            <kbd class="kbd">R</kbd>
          </button>
          <button type="button" class="btn" onClick={edit}>
            Again with edited input…
          </button>
          {request && <Square icon="link" label="Copy as curl (c)" onClick={copyCurl} />}
          {canSave && (
            <button type="button" class="btn" onClick={() => setSaveAs(saveAs === undefined ? '' : undefined)}>
              Save as fixture
            </button>
          )}
          {invocation.version === 'local' && <OpenInEditor place={source} />}
          <Square icon="terminal" label="Copy as fn line (x)" onClick={copyLine} />
        </div>
      </header>
      {saveAs !== undefined && (
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            save.act();
          }}
        >
          <label class="small" for="save-as">
            Name of the fixture
          </label>
          <input
            class="input grow"
            id="save-as"
            autofocus
            value={saveAs}
            onInput={(event) => setSaveAs(event.currentTarget.value)}
          />
          <button type="submit" class="btn" disabled={save.isBusy || saveAs === ''}>
            Save
          </button>
        </form>
      )}
      {save.problem && <ProblemNotice problem={save.problem} />}
      <Trail id={id} traceId={invocation.traceId} />
      <div class="bar facts-bar">
        <Facts invocation={invocation} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section class="pane-body scroll" data-gutter tabIndex={0} aria-label="Error, calls, input and answer">
        {again.problem && (
          <section class="section" aria-label="Again">
            <ProblemNotice problem={again.problem} />
          </section>
        )}
        {invocation.error && <Failure invocation={invocation} error={invocation.error} />}
        <section aria-label="Calls">
          <div class="fall-place">
            <Waterfall
              fall={fallOfInvocation(invocation)}
              chosen={call_ === undefined ? undefined : `call ${call_}`}
              onChoose={(row) => setCall(row.call)}
            />
            {invocation.callsLeftOut !== undefined && (
              <p class="small t-3 section">
                {formatCount(invocation.callsLeftOut)} further calls did not fit into the record.
              </p>
            )}
            {call_ !== undefined && invocation.calls[call_] && <CallDetail call={invocation.calls[call_]} />}
          </div>
        </section>
        <section class="section io" aria-label="Input and answer">
          <Code title="Input" value={invocation.input} />
          {invocation.error === null && <Code title="Answer" value={invocation.result} />}
        </section>
      </section>
    </>
  );
}

function Facts({ invocation }: { readonly invocation: Invocation }) {
  const { startedAt, wallMs, cpuMs, peakMemoryBytes, caller, version } = invocation;
  const facts: readonly (readonly [string, string])[] = [
    ['Started', formatWhole(startedAt).slice(11)],
    ['Took', formatMs(wallMs)],
    ['CPU', formatMs(cpuMs)],
    ['Memory', formatBytes(peakMemoryBytes)],
    ['Called by', caller.type],
    ['Version', version],
  ];
  return (
    <dl class="facts">
      {facts.map(([what, value]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Failure({
  invocation,
  error,
}: {
  readonly invocation: Invocation;
  readonly error: NonNullable<Invocation['error']>;
}) {
  const { stack = '' } = error;
  const lines = stackLinesOf(stack);
  return (
    <section class="section" aria-label="Error">
      <div class="card problem-card">
        <header>
          <Status state={invocation.status} />
          <div class="grow">
            <p>
              <strong dir="auto">{`${error.name}: ${error.message}`}</strong>
            </p>
            <p class="small">
              <code class="t-2">{error.code}</code>
            </p>
          </div>
          {stack !== '' && <Square icon="copy" label="Copy the stack" small onClick={() => copy(stack, 'the stack')} />}
        </header>
        {lines.length > 0 && (
          <ol class="stack-lines">
            {lines.map(({ name, file, line, column }) => (
              <li key={`${file}:${line}:${column}:${name}`}>
                <code>{name === '' ? '(top level)' : name}</code>
                {invocation.version === 'local' ? (
                  <SourceLink place={{ file, line, column }} />
                ) : (
                  <code class="t-2">{`${file}:${line}:${column}`}</code>
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function CallDetail({
  call: { name, startedMs, ms, status, input, answer },
}: {
  readonly call: Invocation['calls'][number];
}) {
  return (
    <div class="call-detail">
      <div class="section-head">
        <h3>
          <code>{name}</code>
        </h3>
        <span class="t-3 small">{`+${formatMs(startedMs)}, ${formatMs(ms)}, ${status}`}</span>
      </div>
      <div class="io">
        {input !== undefined && <Code title="Sent" text={input} />}
        {answer !== undefined && <Code title="Answer" text={answer} />}
      </div>
      {input === undefined && answer === undefined && <p class="small t-3">Nothing more is kept of this call.</p>}
    </div>
  );
}
