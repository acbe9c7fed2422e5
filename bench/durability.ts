/**
 * kill -9 at random moments during writes: is everything there that was acknowledged, and nothing half-done?
 * Usage: node bench/durability.ts [KILLS, default 200]
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWriter, killWhileWriting } from '../test/workspace/durability/kill.ts';

const kills = Number(process.argv[2] ?? 200);
const folder = mkdtempSync(join(tmpdir(), 'fn-durability-'));
let acknowledged = 0;
try {
  const writer = await buildWriter(folder);
  for (let run = 0; run < kills; run++) {
    // Now and then a new workspace, so that the kill also hits its making.
    const file = join(folder, `workspace-${Math.floor(run / 25)}.db`);
    acknowledged += await killWhileWriting(writer, file, run % 25, randomInt(0, 400));
    if (process.stdout.isTTY) process.stdout.write(`\r${run + 1} kills, ${acknowledged} acknowledged changes`);
  }
  process.stdout.write(`\n${kills} kills, ${acknowledged} acknowledged changes, 0 lost, 0 half-done, integrity ok\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
