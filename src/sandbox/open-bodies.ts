import type { FetchResponse } from './types.ts';

/** The answers to `fetch` of one invocation whose bodies have not ended: the function asks for them piece by piece. */
export class OpenBodies {
  readonly #bodies = new Map<number, OpenBody>();

  get size(): number {
    return this.#bodies.size;
  }

  /** @param id of the question that it answers */
  keep(id: number, name: string, pieces: AsyncIterable<Uint8Array>, controller: AbortController): void {
    this.#bodies.set(id, { name, pieces: pieces[Symbol.asyncIterator](), controller });
  }

  /** Method and address of the fetch. */
  nameOf(id: number): string {
    return this.#bodies.get(id)?.name ?? '';
  }

  /** The next piece; undefined at the end, and of a body that was left. Rejects where the network fails. */
  async next(id: number): Promise<Uint8Array | undefined> {
    const body = this.#bodies.get(id);
    if (!body) return undefined;
    try {
      const piece = await body.pieces.next();
      if (!piece.done) return piece.value;
      this.#bodies.delete(id);
    } catch (error) {
      this.#bodies.delete(id);
      throw error;
    }
    return undefined;
  }

  /** Abandons the rest of a body. */
  leave(id: number): void {
    this.#bodies.get(id)?.controller.abort();
    this.#bodies.delete(id);
  }

  leaveAll(): void {
    for (const id of this.#bodies.keys()) this.leave(id);
  }
}

interface OpenBody {
  readonly name: string;
  readonly pieces: AsyncIterator<Uint8Array>;
  /** Of the fetch: it ends the connection, and with it whoever waits for a piece. */
  readonly controller: AbortController;
}

/** All of it, however it comes. */
export async function wholeBody(body: FetchResponse['body']): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
