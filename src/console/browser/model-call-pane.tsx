import { useMemo, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { formatCount } from '../model/format.ts';
import { changesOf, type ModelCall, type Run, type Sent, type SentChange, sentOf } from '../model/run-steps.ts';
import { Bones, Code, Icon, ProblemNotice, Square } from './parts.tsx';
import { ask } from './router.ts';
import { useModelCall } from './use-model-call.ts';

const tabs = ['Messages', 'Tools', 'Answer'] as const;

interface ModelCallPaneProps {
  readonly run: Run;
  readonly shown: ModelCall;
  readonly onAgain: () => void;
  readonly canRun: boolean;
}

/** What one call sent to its model, beside what the call before has sent. */
export function ModelCallPane({ run, shown, onAgain, canRun }: ModelCallPaneProps) {
  const own = useModelCall(run, shown);
  const index = run.modelCalls.findIndex((one) => one.id === shown.id);
  const earlier = run.modelCalls.slice(0, index).findLast(({ role }) => role !== 'fast' || shown.role === 'fast');
  const other = useModelCall(run, earlier);
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
