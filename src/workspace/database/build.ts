import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBlankDatabase } from './open.ts';

/** Builds the asset `blank-workspace.db`. */
export async function buildBlankDatabase(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'fn-build-'));
  try {
    const file = join(folder, 'workspace.db');
    makeBlankDatabase(file);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
