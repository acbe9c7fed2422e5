import { useLayoutEffect, useRef } from 'preact/hooks';

/** So many of the messages before the place that is read are laid out at once when they come: their height must not be a guess. */
const laidOut = 40;

/** Scrolls to the end when something is added while the end is in view, and keeps what is read in place when earlier ones come. */
export function useEnd(length: number, first: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef(first);
  const element = place.current;
  // Read while the document is still as it was: earlier messages change nothing below the place that is read.
  const isEarlier = element !== null && before.current !== first && !isAtEnd.current;
  const toEnd = isEarlier ? element.scrollHeight - element.scrollTop : 0;
  const oldest = isEarlier ? element.querySelector('.msg') : null;
  useLayoutEffect(() => {
    const now = place.current;
    if (!now) return;
    if (isAtEnd.current) now.scrollTop = now.scrollHeight;
    else if (toEnd > 0) {
      let one = oldest?.previousElementSibling;
      for (let n = 0; n < laidOut && one instanceof HTMLElement; n++) {
        one.style.contentVisibility = 'visible';
        one = one.previousElementSibling;
      }
      now.scrollTop = now.scrollHeight - toEnd;
    }
    before.current = first;
  }, [length, first]);
  const onScroll = ({
    currentTarget: { scrollTop, clientHeight, scrollHeight },
  }: {
    currentTarget: HTMLDivElement;
  }) => {
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
  };
  const keepEnd = () => {
    if (place.current && isAtEnd.current) place.current.scrollTop = place.current.scrollHeight;
  };
  return { place, onScroll, keepEnd };
}
