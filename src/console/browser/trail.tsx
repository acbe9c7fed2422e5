import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { placeOfId } from '../model/places.ts';
import { useTrace } from './app.ts';
import { Icon, Id } from './parts.tsx';
import { at } from './router.ts';

type Span = Output<'traces.show'>['spans'][number];

/** Kinds of spans that are steps of a trail; calls and lines are inside of one, and events say what the other steps did. */
const steps: Readonly<Record<string, string>> = {
  message: 'messaging',
  invocation: 'functions',
  'flow-run': 'flows',
  'agent-run': 'runs',
  'tool-call': 'tools',
  confirmation: 'user',
  'delivery-attempt': 'webhook',
};
const maxSteps = 8;

/** What led to it, and what it led to, in one line; each part is a link. */
export function Trail({ id, traceId }: { readonly id: string; readonly traceId: string | null }) {
  const trace = useTrace(traceId === null ? undefined : id)?.data.value;
  const spans = useMemo(() => (trace ? trailOf(trace.spans, id) : []), [trace, id]);
  const list = useRef<HTMLOListElement>(null);
  // What is shown itself is always in view, whatever led to it.
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')?.closest('li');
    if (!list.current || !current) return;
    const beyond = current.getBoundingClientRect().right - list.current.getBoundingClientRect().right;
    if (beyond > 0) list.current.scrollLeft += beyond;
  }, [spans]);
  return (
    <nav class="bar trail-bar" aria-label="Cause and effect">
      <ol class="trail" ref={list}>
        {spans.map((span) => {
          const place = placeOfId(span.ref);
          const said = (
            <>
              <Icon name={steps[span.kind] ?? 'events'} />
              {span.name}
            </>
          );
          return (
            <li key={span.id}>
              {span.id === id || !place ? (
                <span aria-current={span.id === id ? 'step' : undefined}>{said}</span>
              ) : (
                <a href={at(place)}>{said}</a>
              )}
            </li>
          );
        })}
      </ol>
      <span class="grow" />
      {traceId !== null && (
        <a class="link small" href={at({ page: 'trace', id })}>
          Whole trace
        </a>
      )}
      <Id id={id} />
    </nav>
  );
}

/** What led to a span, the span, and the first things that it led to. */
function trailOf(spans: readonly Span[], id: string): Span[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const before: Span[] = [];
  const seen = new Set<string>();
  let at = byId.get(id);
  while (at && !seen.has(at.id)) {
    seen.add(at.id);
    if (at.kind in steps || at.id === id) before.unshift(at);
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  const after = spans.filter(({ parentId, kind, id: own }) => parentId === id && kind in steps && !seen.has(own));
  return [...before.slice(-maxSteps + 2), ...after].slice(0, maxSteps);
}
