/** Requests between two checks; a check takes some 20 µs. */
const every = 256;
/** The space for young objects does not grow beyond this. */
const mostYoungBytes = 12 * 1024 * 1024;
/** How much old objects may grow between two full collections; at least 8 MiB plus the space for young objects. */
const oldGrowthPercent = 30;

let requests = 0;
let youngUsedBytes = 0;
let youngMayGrow = true;
let looked = false;

/**
 * Limits the server's memory. Under load V8 lets the space for young objects grow to 100 MiB, and old objects to five times the live ones
 * before it collects them. A server that keeps nothing of its requests needs neither: they double its memory and save a few percent of
 * time. Flags with fixed bounds must be set when the process starts; these can be changed at any time.
 */
export function boundMemory(): void {
  if (++requests % every !== 0) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (!young) return;
  // V8's first limit of the old space is a general default; later ones depend on the live objects.
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
