import { scoreOf } from './matching.ts';

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly group: Group;
  readonly icon: string;
  readonly title: string;
  readonly about?: string;
  /** Offered before anything is typed. */
  readonly isAlways?: boolean;
  readonly href?: string;
  readonly run?: () => void;
}

const groups = ['Do', 'Waits for you', 'Go to', 'Say it in the terminal'] as const;
type Group = (typeof groups)[number];

const maxShown = 12;
/** Before anything is typed, no group may fill the list. */
const maxOfGroup = 5;

/**
 * What fits to what is typed, best first within its group; at most 12. `>` in front leaves only what does something, `#` is for ids.
 * Before anything is typed: what waits, some functions, the pages.
 */
export function chosenFrom(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const isActions = typed.startsWith('>');
  const query = typed.replace(/^[>#]/, '').trim();
  const offered = entries.filter(({ group }) => !isActions || group === 'Do' || group === 'Say it in the terminal');
  const fitting =
    query === '' && !isActions
      ? groups.flatMap((group) => offered.filter((one) => one.isAlways && one.group === group).slice(0, maxOfGroup))
      : bestOf(offered, query);
  const shown = fitting.slice(0, maxShown);
  return groups.flatMap((group) => shown.filter((entry) => entry.group === group));
}

function bestOf(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  return entries
    .flatMap((entry) => {
      const score = scoreOf(`${entry.title} ${entry.about ?? ''}`, query);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((a, b) => a.score - b.score)
    .map(({ entry }) => entry);
}
