import { useEffect, useMemo } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import type { Message } from '../model/chat.ts';
import { about, drafts, useQuery } from './app.ts';
import { asPerson } from './as-person.ts';
import { useKeys } from './keys.ts';
import { Icon, ProblemNotice, Status, useAction } from './parts.tsx';
import { at } from './router.ts';

type Conversation = Output<'conversations.get'>;

/** The titles of AI agents by id, and by app and name. */
export function useAiTitles(): ReadonlyMap<string, string> {
  const agents = useQuery('aiAgents.list', { limit: 200 }, about(/^(?:app|function\.deployed|live\.build)/))?.data
    .value;
  return useMemo(
    () =>
      new Map(
        (agents?.items ?? []).flatMap(({ id, app, name, title }) => {
          const shown = title ?? name;
          return [
            [id, shown],
            [`${app}/${name}`, shown],
          ] as const;
        }),
      ),
    [agents],
  );
}

/** What flows are called, by id. */
export function useFlowTitles(): ReadonlyMap<string, string> {
  const flows = useQuery('flows.list', { limit: 200 }, about(/^(?:flow\.|app|function\.deployed)/))?.data.value;
  return useMemo(() => new Map((flows?.items ?? []).map(({ id, name, title }) => [id, title ?? name])), [flows]);
}

const ended = new Set(['completed', 'handedOver', 'failed', 'cancelled']);

/** Whether an AI answers in a conversation or a person, and the button that changes it. */
export function Answering({ conversation }: { readonly conversation: Conversation }) {
  const { id, ai, status } = conversation;
  const titles = useAiTitles();
  const runs = useQuery(
    'aiAgentRuns.list',
    { conversationId: id, limit: 1 },
    ({ type, data }) => data['conversationId'] === id && /^(?:live\.run$|aiAgentRun\.)/.test(type),
  )?.data.value?.items;
  const [run] = runs ?? [];
  const change = useAction(async (run: () => Promise<void>) => {
    await run();
  });
  const isPaused = ai.state === 'paused';
  const isThere = runs !== undefined && (isPaused || run !== undefined || titles.size > 0) && status === 'open';
  const takeOver = () => change.act(() => asPerson('conversations.pauseAi', { id }));
  const handBack = () => change.act(() => asPerson('conversations.resumeAi', { id }));
  useKeys(isThere ? { t: () => !isPaused && takeOver(), b: () => isPaused && handBack() } : {});
  if (!isThere) return null;
  const name = (run?.agent && titles.get(run.agent)) ?? 'AI';
  return (
    <>
      <div class="bar answering">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout */}
        <div class="seg" role="group" aria-label="Who answers">
          {isPaused ? (
            <>
              <button type="button" aria-pressed={false} disabled={change.isBusy} onClick={handBack}>
                <Icon name="hand-back" size={14} />
                Hand back<kbd class="kbd">B</kbd>
              </button>
              <button type="button" aria-pressed={true} title={ai.reason ?? undefined}>
                You answer
              </button>
            </>
          ) : (
            <>
              <button type="button" aria-pressed={true}>
                <Icon name="ai" size={14} />
                {name} answers
              </button>
              <button type="button" aria-pressed={false} disabled={change.isBusy} onClick={takeOver}>
                Take over<kbd class="kbd">T</kbd>
              </button>
            </>
          )}
        </div>
        <span class="grow" />
        {isPaused && <span class="badge wide">AI paused</span>}
        {run && (
          <a class="link small run-state" href={at({ page: 'runs', id: run.id })}>
            <Status state={run.status} word={!ended.has(run.status)} />
            {ended.has(run.status) ? `Run ${wordOfRun(run.status)}` : ''}
          </a>
        )}
      </div>
      {change.problem && <ProblemNotice problem={change.problem} />}
    </>
  );
}

/** The state of a run in words: `handed over`. */
export const wordOfRun = (status: string): string => (status === 'handedOver' ? 'handed over' : status);

interface DraftProps {
  readonly conversationId: string;
  readonly messages: readonly Message[];
  /** Told when it grows. */
  readonly onGrow: () => void;
}

function useDraft(conversationId: string, messages: readonly Message[]): { runId: string; text: string } | undefined {
  const draft = drafts.value.get(conversationId);
  return draft?.sentAs !== undefined && messages.some(({ id }) => id === draft.sentAs) ? undefined : draft;
}

/** On the desk: what an AI writes, in grey, until it is a message. */
export function DeskDraft({ conversationId, messages, onGrow, name }: DraftProps & { readonly name: string }) {
  const draft = useDraft(conversationId, messages);
  useEffect(onGrow, [draft?.text]);
  if (!draft) return null;
  return (
    <div class="msg" data-side="right" data-state="draft" aria-live="off">
      <span class="msg-by">
        <strong data-who="ai" dir="auto">
          {name}
        </strong>
        writing, not sent
      </span>
      <p class="bubble" dir="auto">
        {draft.text}
        <span class="caret-ai" />
      </p>
    </div>
  );
}

/** On the phone: that somebody writes, and nothing of it. */
export function PhoneDraft({ conversationId, messages, onGrow, name }: DraftProps & { readonly name: string }) {
  const isWriting = useDraft(conversationId, messages) !== undefined;
  useEffect(onGrow, [isWriting]);
  if (!isWriting) return null;
  return (
    <div class="msg">
      <div class="bubble">
        <span class="typing" role="img" aria-label={`${name} is writing`}>
          <i />
          <i />
          <i />
        </span>
      </div>
    </div>
  );
}
