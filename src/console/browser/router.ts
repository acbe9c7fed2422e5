import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Place, parsePlace, pathOf } from '../model/places.ts';

const slug = document.documentElement.dataset['slug'] ?? '';
const address = signal(location.pathname + location.search);

/** The page that is shown; undefined for an address that has none. */
export const place: ReadonlySignal<Place | undefined> = computed(() =>
  parsePlace(new URL(address.value, location.origin).pathname, slug),
);
/** What the address says besides the place: filters, and what is opened. */
export const query: ReadonlySignal<URLSearchParams> = computed(
  () => new URL(address.value, location.origin).searchParams,
);

export const renewPlace = (): void => {
  address.value = location.pathname + location.search;
};

/** Goes to an address of the console. @param isSame replaces the current one in the history */
export function go(to: string, isSame = false): void {
  if (to === address.value) return;
  if (isSame) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  renewPlace();
}

/** The address of a place. */
export function at(to: Place, search: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => !!entry[1]);
  const text = new URLSearchParams(given).toString();
  return pathOf(to, slug) + (text === '' ? '' : `?${text}`);
}

/** Changes the query of the current address; undefined removes. */
export function ask(changes: Readonly<Record<string, string | undefined>>, isSame = true): void {
  const url = new URL(address.value, location.origin);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  go(url.pathname + url.search, isSame);
}

/** Links within the console change the page without loading it anew. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (parsePlace(link.pathname, slug) === undefined) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
