import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMs } from '../model/format.ts';
import { type Fall, type FallRow, ticksOf } from '../model/waterfall.ts';

/** Height of a row in the table; all are alike. */
const rowHeight = 25;
/** Up to here every row is in the document. */
const maxWhole = 300;

interface WaterfallProps {
  readonly fall: Fall;
  readonly chosen?: string | undefined;
  readonly onChoose: (row: FallRow) => void;
  /** Where a row leads to. */
  readonly hrefOf?: (row: FallRow) => string | undefined;
}

/** What happened, over time: a table, whose last column shows when. */
export function Waterfall({ fall, chosen, onChoose, hrefOf }: WaterfallProps) {
  const { rows, totalMs } = fall;
  const ticks = ticksOf(totalMs);
  const step = ticks.length > 1 ? (100 * (ticks[1] ?? 0)) / totalMs : 100;
  // `sdk` and `fetch` need less room than `confirmation`.
  const hasLongKinds = rows.some(({ kind }) => kind.length > 6);
  const table = useRef<HTMLTableElement>(null);
  const [first, count] = useVisible(table, rows.length);
  const below = rows.length - first - count;
  return (
    <table
      class="fall"
      aria-label="What happened, over time"
      data-kinds={hasLongKinds ? 'long' : undefined}
      ref={table}
    >
      <colgroup>
        <col />
        <col />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th>Call</th>
          <th class="num">Took</th>
          <th>
            <div class="axis">
              {ticks.map((at) => (
                <span key={at} style={{ left: `${(100 * at) / totalMs}%` }}>
                  {at === 0 ? '0' : formatMs(at)}
                </span>
              ))}
            </div>
          </th>
        </tr>
      </thead>
      <tbody>
        {first > 0 && <tr class="fall-space" style={{ height: `${first * rowHeight}px` }} />}
        {rows.slice(first, first + count).map((row) => (
          <Row
            key={row.key}
            row={row}
            totalMs={totalMs}
            step={step}
            isChosen={row.key === chosen}
            onChoose={onChoose}
            href={hrefOf?.(row)}
          />
        ))}
        {below > 0 && <tr class="fall-space" style={{ height: `${below * rowHeight}px` }} />}
      </tbody>
    </table>
  );
}

/** The rows in view of the nearest element that scrolls. */
function useVisible(
  table: { readonly current: HTMLTableElement | null },
  length: number,
): [first: number, count: number] {
  const [first, setFirst] = useState(0);
  const isLong = length > maxWhole;
  useEffect(() => {
    const scroll = table.current?.closest('.scroll');
    if (!isLong || !scroll) return;
    const look = () => {
      const above = scroll.getBoundingClientRect().top - (table.current?.getBoundingClientRect().top ?? 0);
      setFirst(Math.max(0, Math.min(length - maxWhole, Math.floor(above / rowHeight) - 100)));
    };
    scroll.addEventListener('scroll', look, { passive: true });
    return () => scroll.removeEventListener('scroll', look);
  }, [isLong, length]);
  return isLong ? [first, maxWhole] : [0, length];
}

interface RowProps {
  readonly row: FallRow;
  readonly totalMs: number;
  readonly step: number;
  readonly isChosen: boolean;
  readonly href: string | undefined;
  readonly onChoose: (row: FallRow) => void;
}

function Row({ row, totalMs, step, isChosen, href, onChoose }: RowProps) {
  const { kind, name, depth, atMs, ms, isFailed, said, level } = row;
  const canOpen = row.call !== undefined || href !== undefined;
  const bar = {
    '--at': `${(100 * atMs) / totalMs}%`,
    ...(ms !== null && { '--for': `${Math.max(0.15, (100 * ms) / totalMs)}%` }),
  };
  const said_ = <>{level === undefined ? <code>{name}</code> : name}</>;
  return (
    <tr
      class={level === undefined ? undefined : 'log'}
      aria-selected={isChosen}
      onClick={() => row.call !== undefined && onChoose(row)}
    >
      <td>
        <div class="fall-name" data-depth={Math.min(depth, 6)}>
          <span class="kind" data-level={level}>
            {kind}
          </span>
          <span class="cut grow" dir="auto">
            {href !== undefined ? (
              <a class="link" href={href}>
                {said_}
              </a>
            ) : canOpen ? (
              <button type="button" class="fall-open" onClick={() => onChoose(row)}>
                {said_}
              </button>
            ) : (
              said_
            )}
          </span>
          {said !== undefined && (
            <span class="badge" data-tone={isFailed ? 'error' : undefined}>
              {said}
            </span>
          )}
        </div>
      </td>
      <td class={ms === null ? 'num t-3' : 'num'}>{ms === null ? `+${formatMs(atMs)}` : formatMs(ms)}</td>
      <td>
        <div class="axis" style={{ '--step': `${step}%` }}>
          <i style={bar} data-kind={barKind(row, isFailed)} data-level={level} />
        </div>
      </td>
    </tr>
  );
}

function barKind({ key, kind, level, ms }: FallRow, isFailed: boolean): string {
  if (level !== undefined || ms === null) return 'log';
  if (isFailed) return 'error';
  if (key === 'whole') return 'whole';
  if (kind === 'sdk' || kind === 'fetch') return kind;
  return kind === 'model-call' ? 'model' : 'function';
}
