import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folders: string[] | undefined;

/** An empty folder, with its real path, that is removed when this process ends, by Ctrl-C, too. */
export function temporaryFolder(name: string): string {
  folders ??= removedAtEnd();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `fn-bench-${name}-`)));
  folders.push(folder);
  return folder;
}

function removedAtEnd(): string[] {
  const made: string[] = [];
  process.once('exit', () => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  return made;
}
