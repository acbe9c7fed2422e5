import { isShared, type Lane, type Worker } from './lane.ts';

/** Programs that are remembered. */
const mostPrograms = 500;
/** A program with so many lives alone from then on. */
const quarantinedAt = 2;

/** How often a program was running in a child that had to be killed, or ended by itself. */
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
   * @param offender id of the program that is to blame; undefined where that is not known, '' where it is none
   * @param running what ran in the child: without an offender, each of these may be the one
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
