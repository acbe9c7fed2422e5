import type { Json, JsonObject } from '../../flow/index.ts';

/** What a node answers instead of doing its work, in a test. */
export interface NodeAnswer {
  readonly outcome: string;
  readonly output?: Json | undefined;
  readonly variables?: JsonObject | undefined;
}

/** Answers of nodes that call a function or an AI, in tests. */
export class NodeStubs {
  readonly #answers = new Map<string, NodeAnswer>();

  answerOf(flow: string, node: string): NodeAnswer | undefined {
    return this.#answers.get(`${flow}/${node}`);
  }

  /** Lets a node answer this, until it is told otherwise. */
  set(flow: string, node: string, answer: NodeAnswer | undefined): void {
    const key = `${flow}/${node}`;
    if (answer === undefined) this.#answers.delete(key);
    else this.#answers.set(key, answer);
  }
}
