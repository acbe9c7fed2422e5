/** Requests between two looks; a look takes some 20 µs. */
const every = 256;
/** Above this the space for young objects does not grow any more. */
const mostYoungBytes = 12 * 1024 * 1024;
/** What old objects may grow by between two looks of V8 through all of them; by 8 MiB and the space for young ones in any case. */
const oldGrowthPercent = 30;

let requests = 0;
let youngUsedBytes = 0;
let youngMayGrow = true;
let looked = false;

/**
 * Under load V8 lets the space for young objects grow to 100 MiB, and old ones to five times what lives before it looks for garbage
 * among them: a server that keeps nothing of its requests has no use for either. They cost half the memory and save a few percent of
 * time. Flags that bound both for good must be there when the process starts; these may be changed at any time.
 */
export function boundMemory(): void {
  if (++requests % every !== 0) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (!young) return;
  // The first limit of the old space is made for any program; the others are made of what V8 finds alive.
  if (requests === every) {
    setFlagsFromString(`--heap-growing-percent=${oldGrowthPercent}`);
    setFlagsFromString('--gc-global');
  } else if (!looked && young.space_used_size < youngUsedBytes) {
    looked = true;
    setFlagsFromString('--no-gc-global');
  }
  youngUsedBytes = young.space_used_size;
  const mayGrow = young.space_size < mostYoungBytes;
  if (mayGrow === youngMayGrow) return;
  youngMayGrow = mayGrow;
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
}
