/** Processes that write to the credentials at the same moment: every write must be there afterwards, and nobody else may ever read the file.
 * `node bench/faults/credentials.ts [processes = 8] [writes = 50]` */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentialsFile, readCredentials } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { fromStillCopy } from './snapshot.ts';

async function writeAtOnce(processes: number, writes: number): Promise<{ kept: number; of: number; readable: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'fn-faults-'));
  const env = { XDG_CONFIG_HOME: folder };
  let readable = 0;
  const watch = setInterval(() => {
    const mode = statSync(credentialsFile(env), { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) readable++;
  }, 1);
  try {
    const writer = packageFile('test/project/credentials-writer.ts');
    await Promise.all(
      Array.from({ length: processes }, (_, i) =>
        once(
          spawn(process.execPath, [writer, String(i), String(writes)], {
            env: { ...process.env, ...env, CI: '' },
            stdio: 'inherit',
          }),
          'exit',
        ),
      ),
    );
    return { kept: readCredentials(env).logins.length, of: processes * writes, readable };
  } finally {
    clearInterval(watch);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const result = await writeAtOnce(Number(process.argv[2] ?? 8), Number(process.argv[3] ?? 50));
    console.log(JSON.stringify(result));
    return result.kept === result.of && result.readable === 0 ? 0 : 1;
  });
}
