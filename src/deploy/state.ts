import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimState } from '../project/index.ts';
import { type Environment, isRecord, replaceFile, withFileLock } from '../std/index.ts';

/** What this folder knows about one app in one workspace. */
export interface Remembered {
  /** The deployment that this folder last activated. */
  readonly last?: { readonly id: string; readonly fingerprint: string; readonly at: string };
  /** A deployment that was being activated: an interruption leaves it here. */
  readonly underWay?: {
    readonly id: string;
    readonly fingerprint: string;
    readonly base: string | null;
    readonly at: string;
  };
  /** A rollback by one that was requested: a repeat continues from here instead of going back once more. */
  readonly goingBack?: { readonly from: string; readonly fromMadeAt: string; readonly at: string };
}

/** The deploys of this folder, kept in `.fn/deploys.json`. If the file is lost, one manual drift goes unnoticed. */
export class DeployState {
  readonly #file: string;
  readonly #key: string;
  readonly #stateDir: string;
  readonly #env: Environment;

  /**
   * @param workspace address and slug, which keep the states of different workspaces apart
   * @param env where this user's own folders are
   */
  constructor(stateDir: string, workspace: string, app: string, env: Environment = process.env) {
    this.#stateDir = stateDir;
    this.#env = env;
    this.#file = join(stateDir, 'deploys.json');
    this.#key = `${workspace} ${app}`;
  }

  read(): Remembered {
    return this.#all()[this.#key] ?? {};
  }

  /** Writes the state; a failure does not stop a deploy. @returns whether it was written */
  async write(remembered: Remembered): Promise<boolean> {
    try {
      await withFileLock(`${this.#file}.lock`, () => {
        const all = { ...this.#all(), [this.#key]: remembered };
        claimState(this.#stateDir, this.#env);
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
