import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Anchor, type Range, RowWindow } from '../model/row-window.ts';

/** So much above and below the view is in the document, in pixels. */
const margin = 300;
/** Of a message with one line, in pixels. */
const guessedHeight = 64;
/** What still counts as the end, in pixels. */
const endWithin = 8;

/** Rows of a list that are in the document, and the room of the others. */
export interface Rows extends Range {
  /** Scrolls. */
  readonly place: RefObject<HTMLDivElement | null>;
  /** Holds the rows, each an element with `data-row`, its id. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  /** What is below the rows has become higher. */
  readonly keepEnd: () => void;
}

/**
 * Keeps the rows near the view in the document, follows the end while it is in view, and otherwise leaves what is read where it is:
 * when earlier rows come, and when rows turn out higher or lower than was thought.
 */
export function useRows(ids: readonly string[]): Rows {
  const place = useRef<HTMLDivElement | null>(null);
  const list = useRef<HTMLDivElement | null>(null);
  const [rows] = useState(() => new RowWindow(guessedHeight));
  const isAtEnd = useRef(true);
  const anchor = useRef<Anchor | undefined>(undefined);
  const width = useRef(0);
  const shown = useRef<Range>({ from: 0, to: 0 });
  /** Where this hook has scrolled to, or has seen that somebody did. */
  const seen = useRef(0);
  const [, render] = useState(0);
  const again = () => render((count) => count + 1);

  /** Where the list is scrolled to, in its own pixels. */
  const scrolled = (): number => {
    if (!place.current || !list.current) return 0;
    return place.current.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
  };
  const scrollTo = (scroll: HTMLElement, top: number) => {
    scroll.scrollTop = top;
    seen.current = scroll.scrollTop;
  };
  /** Looks where somebody has scrolled to; what this hook did itself is no news. @returns whether anybody has */
  const look = (): boolean => {
    const scroll = place.current;
    if (!scroll || scroll.scrollTop === seen.current) return false;
    seen.current = scroll.scrollTop;
    isAtEnd.current = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - endWithin;
    anchor.current = rows.anchorAt(scrolled());
    return true;
  };
  const measure = (element: HTMLElement): boolean =>
    rows.measure(
      ([...element.children] as HTMLElement[]).map((child) => {
        return [child.dataset['row'] ?? '', child.getBoundingClientRect().height] as const;
      }),
    );
  /** The rows within a distance of the view. @param top where the view begins */
  const rangeAround = (top: number, distance: number): Range => {
    const view = place.current?.clientHeight ?? innerHeight;
    return rows.rangeBetween(top - distance, top + view + distance);
  };
  const rangeInView = (): Range => {
    const kept = isAtEnd.current ? undefined : anchor.current && rows.scrollTo(anchor.current);
    return rangeAround(kept ?? rows.height - (place.current?.clientHeight ?? innerHeight), margin);
  };

  // Before the rows change: the event of a scroll may come after this.
  look();
  rows.setRows(ids);
  shown.current = rangeInView();

  useLayoutEffect(() => {
    const scroll = place.current;
    const element = list.current;
    if (!scroll || !element) return;
    if (width.current !== element.clientWidth) rows.forget();
    width.current = element.clientWidth;
    measure(element);
    const { from, to } = shown.current;
    element.style.paddingBlockStart = `${rows.topOf(from)}px`;
    element.style.paddingBlockEnd = `${rows.height - rows.topOf(to)}px`;
    const kept = isAtEnd.current ? undefined : anchor.current && rows.scrollTo(anchor.current);
    if (kept === undefined) scrollTo(scroll, scroll.scrollHeight);
    else {
      const by = kept - scrolled();
      if (by !== 0) {
        scrollTo(scroll, scroll.scrollTop + by);
        // Near the end it may not go so far.
        anchor.current = rows.anchorAt(scrolled());
      }
    }
    const wanted = rangeInView();
    if (wanted.from < from || wanted.to > to) again();
  });

  const keepEnd = () => {
    if (place.current && isAtEnd.current) scrollTo(place.current, place.current.scrollHeight);
  };
  // Pictures come late, a window gets another width, what stands below the list takes its room.
  useEffect(() => {
    const scroll = place.current;
    const element = list.current;
    if (!scroll || !element) return;
    const observer = new ResizeObserver(() => {
      if (width.current !== element.clientWidth || measure(element)) again();
      else keepEnd();
    });
    observer.observe(scroll);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    if (!look() || !place.current) return;
    // What is read when one scrolls back is no news.
    place.current.ariaLive = isAtEnd.current ? null : 'off';
    // Not for each row: half of the margin may be used up first.
    const { from, to } = shown.current;
    const near = rangeAround(scrolled(), margin / 2);
    if (near.from < from || near.to > to) again();
  };
  return { ...shown.current, place, list, onScroll, keepEnd };
}
