import type { Output } from '../../contract/index.ts';
import { formatCount, formatMs, formatTime, formatUsd, shorten } from '../model/format.ts';
import {
  type ModelCall,
  type Run,
  type RunStep,
  reasonOfFallback,
  type ToolCall,
  wordsOfCall,
} from '../model/run-steps.ts';
import { about, today, useQuery } from './app.ts';
import { Icon } from './parts.tsx';
import { at, query } from './router.ts';
import { useAsked } from './use-model-call.ts';

interface TimelineProps {
  readonly run: Run;
  readonly steps: readonly RunStep[];
  readonly chosen: string | undefined;
}

/** What a run did, call by call, from what it was asked to how it ended. */
export function Timeline({ run, steps, chosen }: TimelineProps) {
  const begin = Date.parse(run.startedAt ?? run.createdAt);
  const after = (moment: string) => `+${((Date.parse(moment) - begin) / 1_000).toFixed(1)}`;
  const told = useAsked(run);
  const asked = run.input.at(-1)?.content ?? told;
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
