import { useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { formatMs, formatTime, prettyJson } from '../model/format.ts';
import { isRecord } from '../model/problem.ts';
import { parseJson } from '../model/schema-form.ts';
import { about, now, useQuery } from './app.ts';
import { asPerson } from './as-person.ts';
import { useKeys } from './keys.ts';
import { Icon, ProblemNotice, useAction } from './parts.tsx';

type Confirmation = Output<'confirmations.list'>['items'][number];

/** The questions of a conversation, or of a run, that wait for an answer. */
export function Confirmations(of: { readonly conversationId: string } | { readonly runId: string }) {
  const filter = 'runId' in of ? { runId: of.runId } : { conversationId: of.conversationId as never };
  const open = useQuery('confirmations.list', { ...filter, open: true as never }, about(/^confirmation\./))?.data.value
    ?.items;
  if (!open || open.length === 0) return null;
  const first = open.find(({ by }) => by === 'human');
  return (
    <div class="confirm-place" aria-live="polite">
      {open.map((confirmation) => (
        <Question key={confirmation.id} confirmation={confirmation} hasKeys={confirmation === first} />
      ))}
    </div>
  );
}

type Step = 'ask' | 'change' | 'deny';

function Question({
  confirmation,
  hasKeys,
}: {
  readonly confirmation: Confirmation;
  /** Of several questions, keys answer the first. */
  readonly hasKeys: boolean;
}) {
  const { id, title, tool, text, by, expiresAt, onExpire } = confirmation;
  // A list shows arguments as the tool's log permits; while it is open, the whole question has all of them.
  const shown = useQuery('confirmations.show', { id }, about(/^confirmation\./))?.data.value;
  const args = shown?.arguments ?? confirmation.arguments;
  const [step, setStep] = useState<Step>('ask');
  const [edited, setEdited] = useState('');
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string>();
  const answer = useAction(async (input: Readonly<Record<string, unknown>>) => {
    await asPerson('confirmations.answer', { id, ...input });
  });
  const allow = () => answer.act({ answer: 'allow' });
  const allowChanged = () => {
    try {
      answer.act({ answer: 'allow', arguments: parseJson(edited) });
      setWrong(undefined);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };
  const isOurs = by === 'human';
  useKeys(hasKeys && step === 'ask' ? { a: allow, d: () => setStep('deny') } : {});
  const left = Date.parse(expiresAt) - now.value;
  // Unless the tool words its question, it is the title and the arguments, which stand here anyway.
  return (
    <section class="confirm" aria-label="Waits for your decision">
      <header>
        <Icon name="s-waiting" />
        <strong dir="auto">{title ?? tool}</strong>
        <span
          class="time"
          title={`No answer by ${formatTime(expiresAt, now.value)} ${onExpire === 'handover' ? 'hands over' : 'denies'}`}
        >
          {left > 0 ? `${formatMs(left)} left` : 'expired'}
        </span>
      </header>
      <div>
        {!text.startsWith(`${title ?? tool}?`) && (
          <p dir="auto" class="lines">
            {text}
          </p>
        )}
        {step !== 'change' && isRecord(args) && (
          <dl class="pairs tight">
            {Object.entries(args).map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </>
            ))}
          </dl>
        )}
        {step === 'change' && (
          <div class="field">
            <label for={`change ${id}`}>Arguments</label>
            <textarea
              class="textarea mono"
              id={`change ${id}`}
              rows={5}
              spellcheck={false}
              value={edited}
              aria-invalid={wrong !== undefined}
              onInput={(event) => setEdited(event.currentTarget.value)}
            />
            {wrong !== undefined && (
              <p class="problem" role="alert">
                {wrong}
              </p>
            )}
          </div>
        )}
        {step === 'deny' && (
          <div class="field">
            <label for={`deny ${id}`}>
              Reason <span class="t-3">the model reads it; optional</span>
            </label>
            <input
              class="input"
              id={`deny ${id}`}
              dir="auto"
              autofocus
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </div>
        )}
        {answer.problem && <ProblemNotice problem={answer.problem} />}
        {isOurs ? (
          <div class="btns">
            {step === 'ask' && (
              <>
                <button type="button" class="btn" data-kind="primary" disabled={answer.isBusy} onClick={allow}>
                  Allow{hasKeys && <kbd class="kbd">A</kbd>}
                </button>
                <button
                  type="button"
                  class="btn"
                  onClick={() => {
                    setEdited(prettyJson(args));
                    setStep('change');
                  }}
                >
                  Change…
                </button>
                <span class="grow" />
                <button type="button" class="btn" data-kind="danger" onClick={() => setStep('deny')}>
                  Deny{hasKeys && <kbd class="kbd">D</kbd>}
                </button>
              </>
            )}
            {step === 'change' && (
              <button type="button" class="btn" data-kind="primary" disabled={answer.isBusy} onClick={allowChanged}>
                Allow with changes
              </button>
            )}
            {step === 'deny' && (
              <button
                type="button"
                class="btn"
                data-kind="danger"
                disabled={answer.isBusy}
                onClick={() => answer.act({ answer: 'deny', ...(reason !== '' && { reason }) })}
              >
                Deny
              </button>
            )}
            {step !== 'ask' && (
              <button type="button" class="btn" onClick={() => setStep('ask')}>
                Back
              </button>
            )}
          </div>
        ) : (
          <p class="small t-3">The customer is asked: the answer comes from the phone.</p>
        )}
      </div>
    </section>
  );
}
