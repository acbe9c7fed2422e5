import { toSlashes } from '../../std/index.ts';
import type { Result } from '../compiler/compiler.ts';
import { packageName } from '../packages/package-folder.ts';
import type { BundleLimits } from '../types.ts';
import { alternativeTo } from './alternatives.ts';
import type { Problem } from './failure.ts';
import { megabytes, tooLarge, tooLargeHint } from './source-size.ts';

/** How many parts of a too large bundle are named. */
const shownParts = 5;

/** Reports a source file that is too large, or else a bundle that is too large, with its largest parts. */
export function tooLargeParts(
  { metafile, outputFiles }: Result,
  { sourceBytes, bundleBytes }: BundleLimits,
): Problem[] {
  for (const [file, { bytes }] of Object.entries(metafile.inputs)) {
    if (bytes > sourceBytes) {
      return [{ message: tooLarge('it', bytes, sourceBytes), hint: tooLargeHint, location: { file: toSlashes(file) } }];
    }
  }
  const code = outputFiles.find(({ path }) => path.endsWith('.js'));
  if (!code || code.contents.length <= bundleBytes) return [];
  const parts = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  const largest = parts
    .slice(0, shownParts)
    .map(([file, { bytesInOutput }]) => `\n  ${megabytes(bytesInOutput)}  ${toSlashes(file)}`);
  const message = `the bundle has ${megabytes(code.contents.length)}, and a function may have ${megabytes(bundleBytes)}; the largest parts:${largest.join('')}`;
  const instead = parts.slice(0, 1).map(([file]) => alternativeTo(packageName(file.replace(/^.*node_modules\//, ''))));
  const hint = instead[0] ?? 'Import less of a package, use a smaller one, or fetch data when it is needed.';
  return [{ message, hint }];
}
