import { useRef } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { formatCount, formatUsd } from '../model/format.ts';
import { useAiTitles, wordOfRun } from './answering.tsx';
import { about, call, store, useShown } from './app.ts';
import { moveInList, useKeys } from './keys.ts';
import { PageTitle } from './page-title.tsx';
import { Bones, Empty, Icon, ProblemNotice, Status, Time, useAction } from './parts.tsx';
import { ask, at, place, query } from './router.ts';
import { RunDetail } from './run-detail.tsx';
import { titleOf, useCustomerName } from './run-names.ts';

type Listed = Output<'aiAgentRuns.list'>['items'][number];

const concerns = about(/^(?:live\.run$|aiAgentRun\.)/);
const statuses = ['queued', 'running', 'waiting', 'completed', 'handedOver', 'failed', 'cancelled'] as const;
const pageSize = 50;

/** Runs of AI agents: the list, one with what it did, and what its models were sent. */
export function RunsPage() {
  const shown = place.value;
  const id = shown?.page === 'runs' ? shown.id : undefined;
  const hasStep = query.value.get('step') !== null;
  return (
    <>
      <PageTitle title="Agent runs" />
      <div class="split run" data-pane={id === undefined ? 'list' : hasStep ? 'inspector' : 'detail'}>
        <List chosen={id} />
        {id === undefined ? (
          <section class="pane" aria-label="Run" data-part="detail">
            <Empty icon="runs" title="Choose a run">
              <p>What an agent did stands here, call by call, with all that its models were sent.</p>
            </Empty>
          </section>
        ) : (
          <RunDetail key={id} id={id} />
        )}
      </div>
    </>
  );
}

function List({ chosen }: { readonly chosen: string | undefined }) {
  const status = statuses.find((one) => one === query.value.get('status'));
  const conversationId = query.value.get('conversation') ?? undefined;
  const filter = {
    ...(status !== undefined && { status }),
    ...(conversationId !== undefined && { conversationId: conversationId as never }),
  };
  const list = store.pages<Listed>(
    `run pages ${JSON.stringify(filter)}`,
    (cursor) => call('aiAgentRuns.list', { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }),
    concerns,
  );
  useShown(list);
  const pages = list.data.value;
  const problem = list.problem.value;
  const titles = useAiTitles();
  const more = useAction(list.more);
  const scroll = useRef<HTMLUListElement>(null);
  useKeys({
    j: () => moveInList(scroll.current, 1),
    k: () => moveInList(scroll.current, -1),
    ArrowDown: () => moveInList(scroll.current, 1),
    ArrowUp: () => moveInList(scroll.current, -1),
  });
  const hasFilter = status !== undefined || conversationId !== undefined;
  const search = { status, conversation: conversationId };
  return (
    <section class="pane" aria-label="Agent runs" data-part="list">
      <header class="pane-head">
        <h2>Agent runs</h2>
        {pages && (
          <span class="count">
            {formatCount(pages.items.length)}
            {pages.nextCursor === null ? '' : '+'}
          </span>
        )}
      </header>
      <div class="bar filters">
        <select
          class="select"
          data-size="s"
          aria-label="Filter by status"
          value={status ?? ''}
          onChange={(event) => ask({ status: event.currentTarget.value })}
        >
          <option value="">Every status</option>
          {statuses.map((one) => (
            <option key={one} value={one}>
              {wordOfRun(one)}
            </option>
          ))}
        </select>
        {conversationId !== undefined && (
          <button type="button" class="btn" data-size="s" onClick={() => ask({ conversation: undefined })}>
            One conversation
            <Icon name="close" size={12} />
          </button>
        )}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!pages ? (
        !problem && <Bones />
      ) : pages.items.length > 0 ? (
        <ul class="pane-body scroll" ref={scroll}>
          {pages.items.map((run) => (
            <Row
              key={run.id}
              run={run}
              title={titleOf(run, titles)}
              isChosen={run.id === chosen}
              href={at({ page: 'runs', id: run.id }, search)}
            />
          ))}
          {pages.nextCursor !== null && (
            <li class="section">
              <button type="button" class="btn" data-size="s" disabled={more.isBusy} onClick={() => more.act()}>
                Older
              </button>
              {more.problem && <ProblemNotice problem={more.problem} />}
            </li>
          )}
        </ul>
      ) : hasFilter ? (
        <Empty icon="search" title="No run fits">
          <button type="button" class="btn" onClick={() => ask({ status: undefined, conversation: undefined })}>
            Clear the filter
          </button>
        </Empty>
      ) : (
        <Empty icon="runs" title="No agent has run yet" command="fn agent-run create AGENT --input 'Hello'">
          <p>Write to a customer’s flow in the inbox, or start one.</p>
        </Empty>
      )}
    </section>
  );
}

interface RowProps {
  readonly run: Listed;
  readonly title: string;
  readonly isChosen: boolean;
  readonly href: string;
}

function Row({ run, title, isChosen, href }: RowProps) {
  const { status, createdAt, customerId, result, budgetExceeded, error } = run;
  const customer = useCustomerName(customerId);
  const outcome = budgetExceeded
    ? `budget: ${budgetExceeded}`
    : (error?.code ?? (status === 'waiting' ? 'asks a person' : (result.reason ?? wordOfRun(status))));
  return (
    <li>
      <a class="row" href={href} aria-current={isChosen ? 'true' : undefined}>
        <Status state={status} />
        <span class="row-name" dir="auto">
          {customer ?? title}
        </span>
        <Time at={createdAt} />
        <span class="row-2">
          <span class="cut grow" dir="auto">{`${title} · ${outcome}`}</span>
          <span>{costOf(run)}</span>
        </span>
      </a>
    </li>
  );
}

const costOf = ({ usage }: Listed): string =>
  usage.costBasis === 'unknown' && usage.costUsd === 0 ? '' : formatUsd(usage.costUsd);
