import type { FunctionType, Output } from '../../contract/index.ts';
import { formatCount, formatMs, formatTime, formatWhole, medianOf } from '../model/format.ts';
import { isRecord } from '../model/problem.ts';
import { today, typeTitles, useQuery } from './app.ts';
import { BuildProblems, NotBuilt, useBroken } from './build-problems.tsx';
import { InvokePane } from './invoke-pane.tsx';
import { PageTitle } from './page-title.tsx';
import { Empty, Icon, Status } from './parts.tsx';
import { ask, at, place, query } from './router.ts';
import { type LiveFunction, useFunctions } from './use-functions.ts';

type Invocation = Output<'invocations.list'>['items'][number];

const order: readonly FunctionType[] = [
  'server-side-method',
  'ai-tool',
  'custom-flow-node',
  'custom-view',
  'cron-job',
  'custom-app-setup',
];
const sparks = 30;

/** The home page: every function by its type, with how it last went; beside it, one to invoke. */
export function FunctionsPage() {
  const { items, isRead } = useFunctions();
  const broken = useBroken();
  const shown = place.value;
  const chosen =
    shown?.page === 'functions' ? items.find(({ app, name }) => app === shown.app && name === shown.name) : undefined;
  const isOpen = shown?.page === 'functions' && shown.app !== undefined;
  const filter = query.value.get('q') ?? '';
  const fitting = items.filter(({ app, name }) => `${app}/${name}`.includes(filter));
  return (
    <>
      <PageTitle title="Functions" />
      <div class={`split ${isOpen ? 'home' : 'one-pane'}`} data-pane={isOpen ? 'inspector' : 'list'}>
        <section class="pane" aria-label="Functions" data-part="list">
          <header class="pane-head">
            <h2>Functions</h2>
            <span class="count">{formatCount(items.length)} live</span>
            <span class="grow" />
            <div class="search home-filter wide">
              <Icon name="search" />
              <input
                class="input"
                type="search"
                placeholder="Filter"
                aria-label="Filter functions"
                value={filter}
                onInput={(event) => ask({ q: event.currentTarget.value })}
              />
            </div>
            <a
              class="btn"
              href={`/api/${document.documentElement.dataset['slug']}/openapi.json`}
              target="_blank"
              rel="noopener"
            >
              OpenAPI
            </a>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <section class="pane-body scroll" tabIndex={0} aria-label="Functions by type">
            <BuildProblems builds={broken} />
            {fitting.length > 0 ? (
              <Table
                functions={fitting}
                chosen={chosen}
                broken={new Set(broken.map((build) => `${build.app}/${build.function}`))}
              />
            ) : items.length > 0 ? (
              <Empty icon="search" title="No function fits">
                <p>{`${formatCount(items.length)} are hidden by the filter.`}</p>
                <button type="button" class="btn" onClick={() => ask({ q: undefined })}>
                  Clear the filter
                </button>
              </Empty>
            ) : (
              isRead &&
              broken.length === 0 && (
                <Empty icon="functions" title="There is no function yet" command="fn init">
                  <p>A file below functions/ is one; it is live when it is saved.</p>
                </Empty>
              )
            )}
          </section>
        </section>
        {isOpen &&
          (chosen ? (
            <InvokePane key={`${chosen.app}/${chosen.name}`} live={chosen} />
          ) : (
            <section class="pane" aria-label="Function" data-part="inspector">
              {isRead && (
                <Empty icon="s-error" title="There is no such function">
                  <p>It does not build, or it is gone.</p>
                  <a class="btn" href={at({ page: 'functions' })}>
                    All functions
                  </a>
                </Empty>
              )}
            </section>
          ))}
      </div>
    </>
  );
}

function Table({
  functions,
  chosen,
  broken,
}: {
  readonly functions: readonly LiveFunction[];
  readonly chosen?: LiveFunction | undefined;
  readonly broken: ReadonlySet<string>;
}) {
  const apps = [...new Set(functions.map(({ app }) => app))];
  return (
    <table class="table home-table">
      <thead>
        <tr>
          <th class="st">
            <span class="sr">Last status</span>
          </th>
          <th>Function</th>
          <th>Called by</th>
          <th class="num">Last</th>
          <th class="num">p50</th>
          <th class="num">Kept</th>
          <th class="w-spark">Last {sparks}</th>
        </tr>
      </thead>
      {apps.map((app) =>
        order.map((type) => {
          const own = functions.filter((one) => one.app === app && one.type === type);
          if (own.length === 0) return null;
          return (
            <tbody key={`${app} ${type}`}>
              <tr class="group">
                <th colSpan={7} scope="colgroup">
                  {typeTitles[type]}s
                  <span class="count">
                    {own.length}
                    {own[0]?.isLocal ? '' : ` · ${app}`}
                  </span>
                </th>
              </tr>
              {own.map((live) => (
                <Row
                  key={live.name}
                  live={live}
                  isChosen={live === chosen}
                  isBroken={broken.has(`${app}/${live.name}`)}
                />
              ))}
            </tbody>
          );
        }),
      )}
    </table>
  );
}

function Row({
  live,
  isChosen,
  isBroken,
}: {
  readonly live: LiveFunction;
  readonly isChosen: boolean;
  readonly isBroken: boolean;
}) {
  const { app, name, type } = live;
  const page = useQuery(
    'invocations.list',
    { app, function: name, limit: 200 },
    ({ type: kind, data }) => kind === 'live.invocation' && data['function'] === name && data['app'] === app,
  )?.data.value;
  const all = page?.items ?? [];
  const [last] = all;
  const recent = all.slice(0, sparks).reverse();
  const p50 = medianOf(all.map(({ wallMs }) => wallMs));
  return (
    <tr aria-selected={isChosen}>
      <td class="st">{last && <Status state={last.status} />}</td>
      <td class="cut">
        <a
          class="fname"
          href={type === 'custom-view' ? at({ page: 'view', app, name }) : at({ page: 'functions', app, name })}
        >
          <code>{name}</code>
        </a>{' '}
        {isBroken && <NotBuilt />}
      </td>
      <td class="cut t-2">{calledBy(live)}</td>
      <td class="num t-2">
        {last && <time title={formatWhole(last.startedAt)}>{formatTime(last.startedAt, today.value)}</time>}
      </td>
      <td class="num">{p50 === undefined ? '' : formatMs(p50)}</td>
      <td class="num t-2">{page && `${formatCount(all.length)}${page.nextCursor === null ? '' : '+'}`}</td>
      <td>
        <Spark recent={recent} />
      </td>
    </tr>
  );
}

function Spark({ recent }: { readonly recent: readonly Invocation[] }) {
  const most = recent.reduce((max, { wallMs }) => Math.max(max, wallMs), 1);
  const failed = recent.filter(({ status }) => status !== 'ok').length;
  const said = `${recent.length} invocations, ${failed === 0 ? 'none' : failed} failed`;
  return (
    <span class="spark" role="img" aria-label={said}>
      {Array.from({ length: sparks - recent.length }, (_, index) => (
        <i key={index} data-s="none" />
      ))}
      {recent.map(({ id, wallMs, status }) => (
        <i
          key={id}
          data-s={status === 'ok' ? undefined : 'error'}
          style={{ '--h': `${Math.max(3, Math.round((18 * wallMs) / most))}px` }}
        />
      ))}
    </span>
  );
}

/** Who calls it, as its config says. */
function calledBy({ type, config }: LiveFunction): string {
  if (type === 'server-side-method') {
    const { expose } = config;
    if (!isRecord(expose)) return 'code';
    const methods = Array.isArray(expose['methods']) ? expose['methods'].join(', ') : '';
    return `${methods}, ${expose['auth'] === 'public' ? 'public' : 'token'}`;
  }
  if (type === 'cron-job') return [config['schedule'], config['timezone']].filter(Boolean).join(' ');
  if (type === 'custom-view') return `beside the ${String(config['placement'] ?? 'page')}`;
  if (type === 'custom-app-setup') return 'install, update';
  return type === 'ai-tool' ? 'AI agents' : 'flows';
}
