import { useMemo, useState } from 'preact/hooks';
import { commandLine } from '../model/command-lines.ts';
import { formatCount, formatMs } from '../model/format.ts';
import { placeOfId } from '../model/places.ts';
import { fallOfSpans } from '../model/waterfall.ts';
import { copy, useTrace } from './app.ts';
import { useKeys } from './keys.ts';
import { PageTitle } from './page-title.tsx';
import { Bones, Empty, Id, ProblemNotice, Square } from './parts.tsx';
import { at, place } from './router.ts';
import { Waterfall } from './waterfall.tsx';

/** The whole chain of anything: from the customer's message to the attempt to deliver what it led to. */
export function TracePage() {
  const shown = place.value;
  const id = shown?.page === 'trace' ? shown.id : '';
  const trace = useTrace(id);
  const [chosen, setChosen] = useState<string>();
  const data = trace?.data.value;
  const problem = trace?.problem.value;
  const fall = useMemo(() => (data ? fallOfSpans(data.spans) : undefined), [data]);
  const line = commandLine('fn', 'trace', id);
  useKeys({ x: () => void copy(line, 'the line'), Escape: () => history.back() });
  return (
    <>
      <PageTitle title="Trace" />
      <div class="split one-pane" data-pane="detail">
        <section class="pane" aria-label="Trace" data-part="detail">
          <header class="pane-head">
            <h2>Trace</h2>
            <Id id={data?.traceId ?? id} />
            <span class="grow" />
            <Square icon="terminal" label="Copy as fn trace (x)" onClick={() => copy(line, 'the line')} />
          </header>
          {data && fall && (
            <div class="bar">
              <span class="small">
                {`${formatCount(data.spans.length)}${data.truncated ? '+' : ''} steps in ${formatMs(fall.totalMs)}`}
              </span>
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <section class="pane-body scroll" tabIndex={0} aria-label="Steps">
            {problem && !data && (
              <div class="section">
                <ProblemNotice problem={problem} />
              </div>
            )}
            {!data && !problem && <Bones />}
            {data?.spans.length === 0 && <Empty icon="events" title="Nothing is kept of this trace" />}
            {fall && fall.rows.length > 0 && (
              <Waterfall
                fall={fall}
                chosen={chosen}
                onChoose={({ key }) => setChosen(key)}
                hrefOf={({ ref, kind }) => {
                  const to = ref === undefined || kind === 'event' ? undefined : placeOfId(ref);
                  return to && to.page !== 'trace' ? at(to) : undefined;
                }}
              />
            )}
          </section>
        </section>
      </div>
    </>
  );
}
