import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes, formatTime, formatWhole, initialsOf, prettyJson, shortId, sizeOf } from '../model/format.ts';
import { jsonPartsOf } from '../model/json-parts.ts';
import type { Problem } from '../model/problem.ts';
import { copy, today } from './app.ts';
import { hasStopped } from './connection.ts';

export function Icon({ name, size }: { readonly name: string; readonly size?: 12 | 14 | 20 }) {
  return (
    <svg class="icon" aria-hidden="true" data-size={size}>
      <use href={`#${name}`} />
    </svg>
  );
}

/** The states that have a mark of their own; whatever else failed is an error. */
const marks: Readonly<Record<string, string>> = {
  ok: 's-ok',
  error: 's-error',
  timeout: 's-timeout',
  refused: 's-refused',
  running: 's-running',
  waiting: 's-waiting',
  queued: 's-queued',
  denied: 's-refused',
  cancelled: 's-off',
  off: 's-off',
  completed: 's-ok',
  handover: 's-handover',
  handedOver: 's-handover',
};

/** States of runs that look like others. */
const alike: Readonly<Record<string, string>> = { completed: 'ok', handedOver: 'handover' };

export function Status({ state, word }: { readonly state: string; readonly word?: boolean }) {
  const shown = state in marks ? (alike[state] ?? state) : 'error';
  return (
    <span class="status" data-s={shown}>
      <Icon name={marks[shown] ?? 's-error'} />
      {word ? state : <span class="sr">{state}</span>}
    </span>
  );
}

export function Time({ at, whole }: { readonly at: string; readonly whole?: boolean }) {
  return (
    <time class="time" dateTime={at} title={formatWhole(at)}>
      {whole ? formatWhole(at).slice(11) : formatTime(at, today.value)}
    </time>
  );
}

export function Id({ id }: { readonly id: string }) {
  return (
    <button type="button" class="id" title={`Copy ${id}`} onClick={() => copy(id, id)}>
      {shortId(id)}
    </button>
  );
}

export function Avatar({ name, size }: { readonly name: string; readonly size?: 28 }) {
  return (
    <span class="avatar" data-size={size} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

interface SquareProps {
  readonly icon: string;
  readonly label: string;
  readonly small?: boolean;
  readonly only?: 'small' | 'narrow';
  readonly isPressed?: boolean;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

/** A square button: its label is its title, too. */
export function Square({ icon, label, small, only, isPressed, isOff, onClick }: SquareProps) {
  return (
    <button
      type="button"
      class="btn"
      data-shape="square"
      data-kind="quiet"
      data-size={small ? 's' : undefined}
      data-only={only}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: ComponentChildren;
}

/** One of a few, all in view. */
export function Segments<T extends string>(props: {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
    <div class="seg" role="group" aria-label={props.label}>
      {props.choices.map(({ value, label }) => (
        <button key={value} type="button" aria-pressed={value === props.chosen} onClick={() => props.onChoose(value)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** Longer texts are cut: a browser lays out a few hundred kilobytes in a moment, but not megabytes. */
const maxShown = 200_000;

/** A value or a text, with its size and a button that copies all of it. */
export function Code(props: { readonly title: string; readonly value?: unknown; readonly text?: string }) {
  const text = props.text ?? prettyJson(props.value);
  const shown = text.length > maxShown ? text.slice(0, maxShown) : text;
  return (
    <section class="code" aria-label={props.title}>
      <header>
        {props.title}
        <span class="t-3">{formatBytes(sizeOf(text))}</span>
        <span class="grow" />
        <Square icon="copy" label="Copy" small onClick={() => copy(text, props.title.toLowerCase())} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre data-wrap tabIndex={0}>
        <Json text={shown} />
        {shown.length < text.length && `\n… ${formatBytes(sizeOf(text) - sizeOf(shown))} more; Copy takes all of it`}
      </pre>
    </section>
  );
}

export function Json({ text }: { readonly text: string }) {
  return (
    <>
      {jsonPartsOf(text).map((part, index) =>
        part.kind === '' ? (
          part.text
        ) : (
          <span key={index} class={part.kind}>
            {part.text}
          </span>
        ),
      )}
    </>
  );
}

/** What could not be read or done: what, why with its code, one way on. */
export function ProblemNotice({
  problem,
  children,
}: {
  readonly problem: Problem;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="notice" data-tone="error" role="alert">
      <Icon name="s-error" />
      <div>
        <strong dir="auto">{problem.message}</strong>
        {problem.errors.length > 0 && (
          <ul>
            {problem.errors.map(({ path, message }) => (
              <li key={path}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <p>
          {problem.hint && <span class="lines">{problem.hint} </span>}
          <code>{problem.code}</code>
        </p>
      </div>
      {children}
    </div>
  );
}

export function Empty(props: {
  readonly icon: string;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly command?: string;
}) {
  const { command } = props;
  return (
    <div class="empty">
      <Icon name={props.icon} size={20} />
      <h3>{props.title}</h3>
      {props.children}
      {command && (
        <div class="command">
          <code>{command}</code>
          <Square icon="copy" label="Copy" small onClick={() => copy(command, 'the command')} />
        </div>
      )}
    </div>
  );
}

/** Nothing for a moment, then rows of bones. */
export function Bones({ rows = 6 }: { readonly rows?: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <ul aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <li key={index}>
          <span class="row">
            <span />
            <span class="bone bone-name" />
            <span class="bone bone-time" />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Runs an action once at a time, and keeps what went wrong. Nothing can be done while the workspace does not answer. */
export function useAction<A extends unknown[]>(
  run: (...args: A) => Promise<void>,
): {
  readonly act: (...args: A) => void;
  readonly isBusy: boolean;
  readonly problem: Problem | undefined;
  clear(): void;
} {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const latest = useRef(run);
  latest.current = run;
  return {
    isBusy: isBusy || hasStopped(),
    problem,
    clear: () => setProblem(undefined),
    act: (...args) => {
      if (isBusy) return;
      setBusy(true);
      latest
        .current(...args)
        .then(() => setProblem(undefined))
        .catch((error: Problem) => setProblem(error))
        .finally(() => setBusy(false));
    },
  };
}
