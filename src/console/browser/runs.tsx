import { useMemo, useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { commandLine } from '../model/command-lines.ts';
import { formatCount, formatMs, formatTime, formatUsd, shorten } from '../model/format.ts';
import {
  changesOf,
  type ModelCall,
  type Run,
  type RunStep,
  reasonOfFallback,
  type Sent,
  type SentChange,
  sentOf,
  sharesOf,
  stepsOf,
  type ToolCall,
  wordsOfCall,
} from '../model/run-steps.ts';
import { useAiTitles, wordOfRun } from './answering.tsx';
import { about, call, copy, store, today, useQuery, useShown } from './app.ts';
import { moveInList, useKeys } from './keys.ts';
import { PageTitle } from './page-title.tsx';
import { Bones, Code, Empty, Icon, Id, ProblemNotice, Square, Status, Time, useAction } from './parts.tsx';
import { ask, at, go, place, query } from './router.ts';
import { Trail } from './trail.tsx';

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
          <Detail key={id} id={id} />
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

const titleOf = ({ agent, harness }: Listed, titles: ReadonlyMap<string, string>): string =>
  agent === null ? harness.name : (titles.get(agent) ?? agent);

/** The name of the customer of a run; undefined without one. */
function useCustomerName(customerId: string | null): string | undefined {
  const customer = useQuery(
    'customers.get',
    customerId === null ? undefined : { id: customerId as never },
    about(/^customer\./),
  )?.data.value;
  return customer && (customer.name ?? customer.phone ?? customer.email ?? undefined);
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

function Detail({ id }: { readonly id: string }) {
  const shown = useQuery(
    'aiAgentRuns.show',
    { id: id as never },
    ({ type, data }) =>
      (type === 'live.run' && data['id'] === id) || /^(?:aiAgentRun|aiTool|confirmation)\./.test(type),
  );
  const run = shown?.data.value;
  const problem = shown?.problem.value;
  const titles = useAiTitles();
  const customer = useCustomerName(run?.customerId ?? null);
  const steps = useMemo(() => (run ? stepsOf(run) : []), [run]);
  const line = commandLine('fn', 'agent-run', 'show', id);
  const again = useAction(async (from: string | undefined) => {
    const made = await call('aiAgentRuns.rerun', {
      id: id as never,
      ...(from !== undefined && { from: from as never }),
    });
    go(at({ page: 'runs', id: made.id }));
  });
  const cancel = useAction(async () => {
    await call('aiAgentRuns.cancel', { id: id as never });
  });
  const chosen =
    steps.find((step) => step.id === query.value.get('step')) ?? steps.find(({ kind }) => kind === 'model');
  const isOpen = run !== undefined && run.endedAt === null;
  useKeys({
    r: () => run && !isOpen && again.act(undefined),
    x: () => void copy(line, 'the line'),
    Escape: () => (query.value.get('step') === null ? go(at({ page: 'runs' })) : ask({ step: undefined })),
  });
  if (!run) {
    return (
      <section class="pane" aria-label="Run" data-part="detail">
        {problem ? (
          <div class="section">
            <ProblemNotice problem={problem}>
              <a class="btn" href={at({ page: 'runs' })}>
                All runs
              </a>
            </ProblemNotice>
          </div>
        ) : (
          <Bones />
        )}
      </section>
    );
  }
  const title = titleOf(run, titles);
  return (
    <>
      <section class="pane" aria-label="Run" data-part="detail">
        <header class="pane-head">
          <span data-back>
            <Square icon="left" label="Back to the runs" onClick={() => go(at({ page: 'runs' }))} />
          </span>
          <h2 class="cut" dir="auto">
            {customer === undefined ? title : `${title} for ${customer}`}
          </h2>
          <span class="badge" data-tone={run.status === 'failed' ? 'error' : undefined}>
            {wordOfRun(run.status)}
          </span>
          <span class="grow" />
          <div class="head-actions">
            {isOpen ? (
              <button type="button" class="btn" disabled={cancel.isBusy} onClick={() => cancel.act()}>
                Cancel
              </button>
            ) : (
              <button type="button" class="btn" disabled={again.isBusy} onClick={() => again.act(undefined)}>
                <Icon name="again" size={14} />
                Run again<kbd class="kbd">R</kbd>
              </button>
            )}
            <Square icon="terminal" label="Copy as fn line (x)" onClick={() => copy(line, 'the line')} />
          </div>
        </header>
        <Trail id={id} traceId={run.traceId} />
        <Budget run={run} />
        {(again.problem ?? cancel.problem) && <ProblemNotice problem={(again.problem ?? cancel.problem) as never} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
        <section class="pane-body scroll" tabIndex={0} aria-label="Timeline">
          {run.error && (
            <div class="section">
              <div class="notice" data-tone="error" role="alert">
                <Icon name="s-error" />
                <div>
                  <strong dir="auto">{run.error.message}</strong>
                  <p>
                    {run.error.hint && <span class="lines">{run.error.hint} </span>}
                    <code>{run.error.code}</code>
                  </p>
                </div>
              </div>
            </div>
          )}
          <Timeline run={run} steps={steps} chosen={chosen?.id} />
        </section>
      </section>
      {chosen?.kind === 'model' && (
        <ModelCallPane
          key={chosen.id}
          run={run}
          shown={chosen.call}
          onAgain={() => again.act(chosen.id)}
          canRun={!isOpen && !again.isBusy}
        />
      )}
      {chosen?.kind === 'tool' && <ToolCallPane key={chosen.id} shown={chosen.call} />}
      {!chosen && (
        <section class="pane" data-tone="sunk" aria-label="Model call" data-part="inspector">
          <Empty icon="model" title="No model has been asked" />
        </section>
      )}
    </>
  );
}

function Budget({ run }: { readonly run: Run }) {
  const shares = sharesOf(run, { usd: formatUsd, count: formatCount, ms: formatMs });
  return (
    <div class="bar meters-bar">
      <div class="meters grow">
        {shares.map(({ title, used, limit, share, isOver }) => {
          const said = limit === undefined ? used : `${used} of ${limit}`;
          const percent = Math.round(100 * (share ?? 0));
          return (
            <div class="meter" key={title} data-level={isOver ? 'over' : percent >= 80 ? 'near' : undefined}>
              <p>
                <span class="t-3">{title}</span>
                <span>
                  {used} {limit !== undefined && <span class="t-3">of {limit}</span>}
                </span>
              </p>
              {share !== undefined && (
                // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be styled alike everywhere
                <div
                  class="meter-bar"
                  role="meter"
                  aria-label={title}
                  aria-valuemin={0}
                  aria-valuemax={100}
                  aria-valuenow={percent}
                  aria-valuetext={said}
                >
                  <i style={{ width: `${percent}%` }} />
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface TimelineProps {
  readonly run: Run;
  readonly steps: readonly RunStep[];
  readonly chosen: string | undefined;
}

function Timeline({ run, steps, chosen }: TimelineProps) {
  const begin = Date.parse(run.startedAt ?? run.createdAt);
  const after = (moment: string) => `+${((Date.parse(moment) - begin) / 1_000).toFixed(1)}`;
  const asked = run.input.at(-1)?.content;
  const confirmations =
    useQuery('confirmations.list', { runId: run.id, limit: 200 }, about(/^confirmation\./))?.data.value?.items ?? [];
  const hrefOf = (step: string) => at({ page: 'runs', id: run.id }, { ...Object.fromEntries(query.value), step });
  return (
    <>
      <div class="step-heads" aria-hidden="true">
        <span class="at">s</span>
        <span />
        <span>{[`${run.harness.name} harness`, run.harness.note].filter(Boolean).join(', ')}</span>
        <span class="step-nums">
          <span>in</span>
          <span>out</span>
          <span>cost</span>
          <span>took</span>
        </span>
      </div>
      <ol class="steps">
        <li>
          <div class="step">
            <span class="at">0.0</span>
            <span class="node">
              <Icon name="messaging" />
            </span>
            <span class="step-main">
              <span class="step-title" dir="auto">
                {asked === undefined ? 'Answers the customer' : `“${shorten(asked, 160)}”`}
              </span>
              <span class="step-sub">
                {`${formatTime(run.createdAt, today.value)} · sees ${run.history.messages} messages`}
                {run.history.leftOut > 0 && `, not the ${run.history.leftOut} before`}
              </span>
            </span>
          </div>
        </li>
        {steps.map((step) => (
          <li key={step.id}>
            <a class="step" href={hrefOf(step.id)} aria-current={step.id === chosen ? 'true' : undefined}>
              <span class="at">{after(step.at)}</span>
              {step.kind === 'model' ? <ModelStep run={run} shown={step.call} /> : <ToolStep shown={step.call} />}
            </a>
            {confirmations
              .filter(({ callId }) => callId === step.id)
              .map((asked) => (
                <Asked key={asked.id} asked={asked} after={after} />
              ))}
          </li>
        ))}
        {run.endedAt !== null && (
          <li>
            <div class="step">
              <span class="at">{after(run.endedAt)}</span>
              <span class="node" data-tone={run.status === 'failed' ? 'error' : undefined}>
                <Icon
                  name={run.status === 'handedOver' ? 's-handover' : run.status === 'completed' ? 'send' : 's-off'}
                />
              </span>
              <span class="step-main">
                <span class="step-title">
                  <strong>{endOf(run)}</strong>
                </span>
                <span class="step-sub" dir="auto">
                  {shorten(run.result.reason ?? run.text ?? '', 200)}
                </span>
              </span>
            </div>
          </li>
        )}
      </ol>
      {run.lateEvents > 0 && (
        <p class="section small t-3">{`${run.lateEvents} events came after the end and were dropped.`}</p>
      )}
      {run.warnings.map(({ code, message }) => (
        <p class="section small" key={code}>
          {message} <code>{code}</code>
        </p>
      ))}
    </>
  );
}

function endOf({ status, result, budgetExceeded }: Run): string {
  if (budgetExceeded) return `The budget is used up: ${budgetExceeded}`;
  if (status === 'handedOver') return 'Handed over';
  if (status === 'completed') {
    const sent = result.messageIds.length;
    return sent === 0 ? 'Completed' : `Completed · ${sent} ${sent === 1 ? 'message' : 'messages'}`;
  }
  return status === 'cancelled' ? 'Cancelled' : 'Failed';
}

const took = ({ startedAt, endedAt }: { startedAt: string; endedAt: string | null }): string =>
  endedAt === null ? '' : formatMs(Date.parse(endedAt) - Date.parse(startedAt));

function ModelStep({ run, shown }: { readonly run: Run; readonly shown: ModelCall }) {
  const { model, role, usage, costUsd, error } = shown;
  const cause = reasonOfFallback(shown, run);
  return (
    <>
      <span class="node" data-tone={error ? 'error' : 'ai'}>
        <Icon name="model" />
      </span>
      <span class="step-main">
        <span class="step-title">
          <span class="cut">
            <strong>{model}</strong>
          </span>
          <span class="badge">{role}</span>
        </span>
        <span class="step-sub" dir="auto">
          {cause?.error ? `Because ${cause.model} failed: ${cause.error.code}. ` : ''}
          {wordsOfCall(shown, run)}
        </span>
      </span>
      <span class="step-nums">
        <span>{usage ? formatCount(usage.inputTokens) : ''}</span>
        <span>{usage ? formatCount(usage.outputTokens) : ''}</span>
        <span>{costUsd === null ? '' : formatUsd(costUsd)}</span>
        <span>{took(shown)}</span>
      </span>
    </>
  );
}

const toneOf = (status: ToolCall['status']): string | undefined =>
  status === 'ok'
    ? 'ok'
    : status === 'awaitingConfirmation'
      ? 'wait'
      : /^(?:error|timeout)$/.test(status)
        ? 'error'
        : undefined;

function ToolStep({ shown }: { readonly shown: ToolCall }) {
  const { name, status, error, result } = shown;
  const said = error?.message ?? (result === null || result === undefined ? '' : JSON.stringify(result));
  return (
    <>
      <span class="node" data-tone={toneOf(status)}>
        <Icon name="tools" />
      </span>
      <span class="step-main">
        <span class="step-title">
          <code class="tool">{name}</code>
          {error && (
            <span class="badge" data-tone="error">
              {error.code}
            </span>
          )}
          <span class="step-sub" dir="auto">
            {status === 'awaitingConfirmation' ? 'asks a person' : shorten(said, 160)}
          </span>
        </span>
      </span>
      <span class="step-nums" data-few>
        <span>{took(shown)}</span>
      </span>
    </>
  );
}

type Confirmation = Output<'confirmations.list'>['items'][number];

/** The question that a call of a tool put to somebody. */
function Asked({ asked, after }: { readonly asked: Confirmation; readonly after: (moment: string) => string }) {
  const { id, state, askedAt, answer, by, conversationId } = asked;
  const who = by === 'customer' ? 'Customer' : 'Person';
  const said = [state === 'open' ? 'waits' : state, answer?.edited ? 'with changes' : '', answer?.reason ?? '']
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <a class="step" href={at(conversationId === null ? { page: 'trace', id } : { page: 'inbox', conversationId })}>
      <span class="at">{after(askedAt)}</span>
      <span class="node" data-tone="wait">
        <Icon name="s-waiting" />
      </span>
      <span class="step-main">
        <span class="step-title">
          <span class="nowrap">{who} asked</span>
          <span class="step-sub" dir="auto">
            {said}
          </span>
        </span>
      </span>
      <span class="step-nums" data-few>
        <span>{answer ? formatMs(Date.parse(answer.at) - Date.parse(askedAt)) : ''}</span>
      </span>
    </a>
  );
}

const tabs = ['Messages', 'Tools', 'Answer'] as const;

interface ModelCallPaneProps {
  readonly run: Run;
  readonly shown: ModelCall;
  readonly onAgain: () => void;
  readonly canRun: boolean;
}

/** What one call sent to its model, beside what the call before has sent. */
function ModelCallPane({ run, shown, onAgain, canRun }: ModelCallPaneProps) {
  const isOwn = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) =>
    shown.endedAt === null && type === 'live.run' && data['id'] === run.id;
  const id = run.id;
  const own = useQuery('aiAgentRuns.showModelCall', { id, modelCallId: shown.id }, isOwn);
  const index = run.modelCalls.findIndex((one) => one.id === shown.id);
  const earlier = run.modelCalls.slice(0, index).findLast(({ role }) => role !== 'fast' || shown.role === 'fast');
  const other = useQuery('aiAgentRuns.showModelCall', earlier && { id, modelCallId: earlier.id }, () => false);
  const [tab, setTab] = useState<(typeof tabs)[number]>('Messages');
  const [isCompared, setCompared] = useState(true);
  const detail = own?.data.value;
  const before = other?.data.value;
  const problem = own?.problem.value;
  const messages = useMemo(() => (detail ? allSent(detail) : []), [detail]);
  const changes = useMemo(
    () =>
      isCompared && before
        ? changesOf(messages, allSent(before))
        : messages.map((one) => ({ ...one, state: 'same' as const })),
    [messages, before, isCompared],
  );
  const counts = { Messages: messages.length, Tools: detail?.tools.length, Answer: undefined };
  return (
    <section class="pane" data-tone="sunk" aria-label="Model call" data-part="inspector">
      <header class="pane-head">
        <h2 class="cut">{shown.model}</h2>
        <span class="badge">{shown.role}</span>
        <span class="grow" />
        {index > 0 && (
          <button type="button" class="btn" data-size="s" disabled={!canRun} onClick={onAgain}>
            Run again from here
          </button>
        )}
        <Square icon="close" label="Close" only="small" onClick={() => ask({ step: undefined })} />
      </header>
      <div class="tabs" role="tablist" aria-label="Model call">
        {tabs.map((one) => (
          <button key={one} type="button" role="tab" aria-selected={one === tab} onClick={() => setTab(one)}>
            {one} {counts[one] !== undefined && <span class="count">{counts[one]}</span>}
          </button>
        ))}
      </div>
      {tab === 'Messages' && before && (
        <div class="bar">
          <label class="choice">
            <input type="checkbox" checked={isCompared} onChange={() => setCompared(!isCompared)} />
            Changes since the call before
          </label>
          <span class="grow" />
          <span class="small t-3">{`${changes.filter(({ state }) => state === 'added').length} new`}</span>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section class="pane-body scroll" tabIndex={0} aria-label={tab}>
        {problem && !detail && <ProblemNotice problem={problem} />}
        {!detail && !problem && <Bones />}
        {detail && tab === 'Messages' && <Messages changes={changes} isCompared={isCompared && before !== undefined} />}
        {detail && tab === 'Tools' && (
          <ul class="section">
            {detail.tools.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
            {detail.tools.length === 0 && <li class="t-2">It was given no tools.</li>}
          </ul>
        )}
        {detail && tab === 'Answer' && (
          <div class="section stack">
            {detail.answer === null ? (
              <p class="t-2">There is no answer.</p>
            ) : (
              <Code title="Answer" value={detail.answer} />
            )}
            <p class="small t-3">{finishOf(shown)}</p>
            {shown.error && (
              <p class="problem" dir="auto">
                {shown.error.message} <code>{shown.error.code}</code>
              </p>
            )}
          </div>
        )}
      </section>
    </section>
  );
}

function finishOf({ finishReason, usage, provider }: ModelCall): string {
  const cached =
    usage && usage.cachedInputTokens > 0 ? `, ${formatCount(usage.cachedInputTokens)} of them from the cache` : '';
  const tokens = usage
    ? `; ${formatCount(usage.inputTokens)} tokens in${cached}, ${formatCount(usage.outputTokens)} out`
    : '';
  return `${provider}; finish: ${finishReason ?? 'none'}${tokens}`;
}

const allSent = ({ instructions, messages }: Output<'aiAgentRuns.showModelCall'>): Sent[] => [
  { role: 'system', by: 'instructions', text: instructions },
  ...messages.map(sentOf),
];

/** Long texts are cut: a browser lays out a few hundred kilobytes in a moment, but not megabytes. */
const maxTextShown = 50_000;

function Messages({ changes, isCompared }: { readonly changes: readonly SentChange[]; readonly isCompared: boolean }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const same = changes.filter(({ state }) => state === 'same').length;
  const isFolded = isCompared && !isUnfolded && same > 1 && same < changes.length;
  return (
    <ol class="sents">
      {isFolded && (
        <li>
          <button type="button" class="fold" onClick={() => setUnfolded(true)}>
            <Icon name="right" size={14} />
            {`${same} messages as before`}
          </button>
        </li>
      )}
      {changes.map(({ role, by, text, state }, index) => {
        if (isFolded && state === 'same') return null;
        const shown = text.length > maxTextShown ? `${text.slice(0, maxTextShown)}…` : text;
        return (
          <li class="sent" key={index} data-state={state === 'same' ? undefined : state}>
            <header>
              <strong>{role}</strong>
              <span class="t-3 cut" dir="auto">
                {by}
              </span>
              <span class="grow" />
              {state !== 'same' && (
                <span class="badge" data-tone={state === 'added' ? 'ok' : 'line'}>
                  {state === 'added' ? 'new' : 'gone'}
                </span>
              )}
            </header>
            <pre class="diff" dir="auto">
              {state === 'added' ? <ins>{shown}</ins> : state === 'removed' ? <del>{shown}</del> : <span>{shown}</span>}
            </pre>
          </li>
        );
      })}
    </ol>
  );
}

/** One call of a tool: what it was given and what it answered. */
function ToolCallPane({ shown }: { readonly shown: ToolCall }) {
  const { id, name, source, arguments: args, status, result, error } = shown;
  // The record of the call names the invocation.
  const logs = useQuery('tools.logs', { id, limit: 1 }, about(/^aiTool\./))?.data.value;
  const invocationId = logs?.items[0]?.invocationId;
  return (
    <section class="pane" data-tone="sunk" aria-label="Tool call" data-part="inspector">
      <header class="pane-head">
        <h2 class="cut">
          <code class="h-code">{name}</code>
        </h2>
        <Status state={status === 'awaitingConfirmation' ? 'waiting' : status} />
        <span class="grow" />
        <Square icon="close" label="Close" only="small" onClick={() => ask({ step: undefined })} />
      </header>
      <section class="pane-body scroll section stack" aria-label="Call">
        <p class="small t-2">
          {source.function ?? source.client ?? source.type} <Id id={id} />
        </p>
        {invocationId && (
          <a class="link" href={at({ page: 'invocations', id: invocationId })}>
            Its invocation
          </a>
        )}
        <Code title="Arguments" value={args} />
        {error ? (
          <p class="problem" dir="auto">
            {error.message} <code>{error.code}</code>
          </p>
        ) : (
          <Code title="Result" value={result} />
        )}
      </section>
    </section>
  );
}
