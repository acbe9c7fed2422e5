import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalOptions } from '../emulator/index.ts';
import type { Project } from '../project/index.ts';

type OnCoverage = NonNullable<LocalOptions['onCoverage']>;
type Source = Parameters<OnCoverage>[0][number];

/** What ran of each source: one entry for each distinct pattern, with its count. */
const counted = new Map<string, { readonly url: string; functions: Source['functions'] }>();
let hooked = false;
let written = 0;

/**
 * Node's runner, c8 and others let Node write the coverage of its processes into the folder NODE_V8_COVERAGE. Functions run in
 * isolates that Node does not know: their coverage is written into the same folder, in the same format.
 * @returns a listener for what ran; undefined when no coverage is collected
 */
export function toldToCoverage(project: Project): OnCoverage | undefined {
  const folder = process.env['NODE_V8_COVERAGE'];
  if (!folder) return undefined;
  if (!hooked) process.on('exit', writeCoverage);
  hooked = true;
  return (sources) => {
    for (const { source, functions } of sources) {
      const file = resolve(project.root, source);
      if (existsSync(file)) add(pathToFileURL(file).href, functions);
    }
  };
}

/** A function that runs a thousand times in the same way is recorded once. */
function add(url: string, functions: Source['functions']): void {
  const shape = functions.map(({ ranges }) =>
    ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count > 0]),
  );
  const key = JSON.stringify([url, shape]);
  const known = counted.get(key);
  counted.set(key, { url, functions: known ? functions.map((one, at) => sum(one, known.functions[at])) : functions });
}

function sum(one: Source['functions'][number], other = one): Source['functions'][number] {
  const ranges = one.ranges.map((range, at) => ({ ...range, count: range.count + (other.ranges[at]?.count ?? 0) }));
  return { ...one, ranges };
}

/** The runner may read the folder before this process ends. One file per pattern: readers merge files, not entries within a file. */
export function writeCoverage(): void {
  const folder = process.env['NODE_V8_COVERAGE'];
  if (!folder || counted.size === 0) return;
  mkdirSync(folder, { recursive: true });
  const files: { scriptId: string; url: string; functions: Source['functions'] }[][] = [];
  const ways = new Map<string, number>();
  for (const { url, functions } of counted.values()) {
    const way = ways.get(url) ?? 0;
    ways.set(url, way + 1);
    files[way] ??= [];
    files[way].push({ scriptId: '0', url, functions });
  }
  counted.clear();
  for (const result of files) {
    // Node numbers its own files from 0.
    const name = `coverage-${process.pid}-${Date.now()}-${1_000 + written++}.json`;
    writeFileSync(join(folder, name), JSON.stringify({ result }));
  }
}
