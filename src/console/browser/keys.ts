import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What one writes in, if a key is for that: single letters do nothing there. */
function fieldOf(target: EventTarget | null): HTMLElement | undefined {
  const isField =
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return isField ? target : undefined;
}

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const layers: { current: Keys }[] = [];

/** Keys of what is shown: `r`, `Escape`, `g n`. What was shown last comes first. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

/** Whether the palette is open, and what is in it. */
export const palette = signal<string | undefined>(undefined);
export const keysShown = signal(false);

let before = '';

/** Listens to the keyboard. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') {
      event.preventDefault();
      palette.value = palette.value === undefined ? '' : undefined;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // The browser closes an open dialog by Escape unless somebody prevents it. The focus may be on nothing in it.
    if (document.querySelector('dialog[open]')) return;
    const field = fieldOf(event.target);
    if (field) {
      // What is written in it would be lost with the page.
      if (key === 'Escape') field.blur();
      return;
    }
    const pair = `${before} ${key}`;
    before = key === 'g' ? 'g' : '';
    for (const name of [pair, key]) {
      const layer = layers.findLast(({ current }) => Object.hasOwn(current, name));
      if (!layer) continue;
      event.preventDefault();
      layer.current[name]?.(event);
      return;
    }
  });
}

/** Arrow keys, and j and k, in a list of links with the class: the focus moves, and opens what it reaches. */
export function moveInList(list: HTMLElement | null, by: 1 | -1): void {
  if (!list) return;
  const links = [...list.querySelectorAll<HTMLAnchorElement>('a.row')];
  const current = links.findIndex((link) => link.getAttribute('aria-current') === 'true');
  const next = links[Math.max(0, Math.min(links.length - 1, current < 0 ? 0 : current + by))];
  next?.focus();
  next?.click();
}
