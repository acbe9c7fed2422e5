import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, replaceFile, withFileLock } from '../std/index.ts';

/** What this folder knows of one app in one workspace. */
export interface Remembered {
  /** The deployment this folder put live last. */
  readonly last?: { readonly id: string; readonly fingerprint: string; readonly at: string };
  /** A deployment that was being activated: an interruption leaves it here. */
  readonly underWay?: {
    readonly id: string;
    readonly fingerprint: string;
    readonly base: string | null;
    readonly at: string;
  };
  /** A way back by one that was asked for: a repeat goes on from here instead of going back by one more. */
  readonly goingBack?: { readonly from: string; readonly fromMadeAt: string; readonly at: string };
}

/** The deploys of this folder, kept in `.fn/deploys.json`. A lost file only means that drift by hand is not seen once. */
export class DeployState {
  readonly #file: string;
  readonly #key: string;

  /** @param workspace address and slug; the state of one is never taken for another's */
  constructor(stateDir: string, workspace: string, app: string) {
    this.#file = join(stateDir, 'deploys.json');
    this.#key = `${workspace} ${app}`;
  }

  read(): Remembered {
    return this.#all()[this.#key] ?? {};
  }

  /** A state that cannot be written does not stop a deploy. @returns whether it was written */
  async write(remembered: Remembered): Promise<boolean> {
    try {
      await withFileLock(`${this.#file}.lock`, () => {
        const all = { ...this.#all(), [this.#key]: remembered };
        replaceFile(this.#file, `${JSON.stringify(all, null, 2)}\n`, 0o644);
      });
      return true;
    } catch {
      return false;
    }
  }

  #all(): Record<string, Remembered> {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      return isRecord(value) ? (value as Record<string, Remembered>) : {};
    } catch {
      return {};
    }
  }
}
