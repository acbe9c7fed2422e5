import { useEffect, useRef } from 'preact/hooks';

/** Scrolls to the end when something is added while the end is in view, and keeps what is read in place when earlier ones come. */
export function useEnd(length: number, first: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const before = useRef(first);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    if (before.current !== first && !isAtEnd.current) element.scrollTop += element.scrollHeight - height.current;
    else if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    before.current = first;
    height.current = element.scrollHeight;
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
