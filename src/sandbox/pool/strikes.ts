import { isShared, type Lane, type Worker } from './lane.ts';

/** How many programs are remembered. */
const mostPrograms = 500;
/** A program with this many strikes gets a child of its own. */
const quarantinedAt = 2;

/** Counts how often a program was running in a child that had to be killed, or crashed. */
export class Strikes {
  readonly #counts = new Map<string, number>();

  /** Ids of programs. */
  get quarantined(): string[] {
    return [...this.#counts].filter(([, strikes]) => strikes >= quarantinedAt).map(([id]) => id);
  }

  isQuarantined({ program }: Lane): boolean {
    return (this.#counts.get(program.id) ?? 0) >= quarantinedAt;
  }

  /**
   * @param offender id of the program to blame; undefined if unknown, '' if none is to blame
   * @param running the workers in the child: without an offender, each of them may be the cause
   */
  add(offender: string | undefined, running: readonly Worker[]): void {
    if (offender === undefined) for (const { lane } of running) this.#suspect(lane);
    else if (offender !== '') this.#counts.set(offender, quarantinedAt);
    for (const id of this.#counts.keys()) {
      if (this.#counts.size <= mostPrograms) break;
      this.#counts.delete(id);
    }
  }

  #suspect(lane: Lane): void {
    const { id } = lane.program;
    if (!isShared(lane)) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }
}
