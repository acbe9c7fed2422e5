import { useMemo } from 'preact/hooks';
import { commandLine } from '../model/command-lines.ts';
import { formatCount, formatMs, formatUsd } from '../model/format.ts';
import { type Run, sharesOf, stepsOf } from '../model/run-steps.ts';
import { useAiTitles, wordOfRun } from './answering.tsx';
import { call, copy, useQuery } from './app.ts';
import { Confirmations } from './confirmations.tsx';
import { useKeys } from './keys.ts';
import { ModelCallPane } from './model-call-pane.tsx';
import { Bones, Empty, Icon, ProblemNotice, Square, useAction } from './parts.tsx';
import { ask, at, go, query } from './router.ts';
import { titleOf, useCustomerName } from './run-names.ts';
import { Timeline } from './run-timeline.tsx';
import { ToolCallPane } from './tool-call-pane.tsx';
import { Trail } from './trail.tsx';

/** One run: what it did, what it has used, and what one of its calls was sent. */
export function RunDetail({ id }: { readonly id: string }) {
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
          <span class="badge" data-tone={toneOf(run.status)}>
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
          {run.status === 'waiting' && <Confirmations runId={id} />}
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

const toneOf = (status: Run['status']): string | undefined =>
  status === 'failed' ? 'error' : status === 'waiting' ? 'wait' : undefined;

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
