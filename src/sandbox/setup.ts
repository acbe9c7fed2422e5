import { openOperationBytes, operationBytes } from './limits.ts';
import type { Limits } from './types.ts';

/** The conditions of an invocation. */
export interface Conditions {
  readonly limits: Limits;
  readonly clockOffsetMs?: number | undefined;
  readonly clockStoppedAtMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** What the bridge in a context reads before it calls the function. */
export interface Setup extends Conditions {
  readonly limits: Limits & { readonly operationBytes: number; readonly openOperationBytes: number };
  readonly clockOffsetMs: number;
}

/** The JSON of a {@link Setup}. */
export function setupText({ limits, clockOffsetMs = 0, clockStoppedAtMs, environment }: Conditions): string {
  const setup: Setup = {
    limits: { ...limits, operationBytes, openOperationBytes },
    clockOffsetMs,
    clockStoppedAtMs,
    environment,
  };
  return JSON.stringify(setup);
}

/** Keeps the last text: the invocations of a program hardly ever differ in their conditions. */
export class LastSetup {
  #of: Conditions | undefined;
  #text = '';

  /** @param of compared by its members, and these by identity */
  text(of: Conditions): string {
    const last = this.#of;
    const { limits, clockOffsetMs, clockStoppedAtMs, environment } = of;
    if (
      last?.limits !== limits ||
      last.environment !== environment ||
      last.clockOffsetMs !== clockOffsetMs ||
      last.clockStoppedAtMs !== clockStoppedAtMs
    ) {
      this.#of = { limits, clockOffsetMs, clockStoppedAtMs, environment };
      this.#text = setupText(of);
    }
    return this.#text;
  }
}
