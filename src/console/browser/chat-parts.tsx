import type { ComponentChildren } from 'preact';
import { formatDay } from '../model/format.ts';
import { today } from './app.ts';
import { ProblemNotice, useAction } from './parts.tsx';

/** Why something was not sent. */
export function NotSent({ problem }: { readonly problem: ReturnType<typeof useAction>['problem'] }) {
  return problem ? (
    <div class="not-sent" role="status">
      <strong>Not sent.</strong>
      <ProblemNotice problem={problem} />
    </div>
  ) : null;
}

/** Reads the messages before the first one. */
export function Earlier({ more }: { readonly more: () => Promise<void> }) {
  const { act, isBusy } = useAction(more);
  return (
    <button type="button" class="btn earlier" data-size="s" disabled={isBusy} onClick={() => act()}>
      Earlier messages
    </button>
  );
}

/** Says the day before the first thing of it. */
export function Day(props: {
  readonly at: string;
  readonly before: string | undefined;
  readonly children: ComponentChildren;
}) {
  const day = formatDay(props.at, today.value);
  const isNew = props.before === undefined || formatDay(props.before, today.value) !== day;
  return (
    <>
      {isNew && <span class="chat-day">{day}</span>}
      {props.children}
    </>
  );
}
