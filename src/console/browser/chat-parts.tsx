import { useEffect, useRef } from 'preact/hooks';
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

/** Reads the messages before the first one: by a click, and by itself shortly before one has scrolled there. */
export function Earlier({ more }: { readonly more: () => Promise<void> }) {
  const { act, isBusy, problem } = useAction(more);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const element = button.current;
    const root = element?.closest('.scroll');
    // What has failed is tried again by a click.
    if (!element || !root || problem) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && act(), {
      root,
      rootMargin: '800px 0px 0px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isBusy, problem]);
  return (
    <>
      <button type="button" class="btn earlier" data-size="s" ref={button} disabled={isBusy} onClick={() => act()}>
        Earlier messages
      </button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

/** Says the day above the first thing of it. */
export function Day({ at, before }: { readonly at: string; readonly before: string | undefined }) {
  const day = formatDay(at, today.value);
  const isNew = before === undefined || formatDay(before, today.value) !== day;
  return isNew ? <span class="chat-day">{day}</span> : null;
}
