import type { FetchResponse } from './types.ts';

/** The unfinished response bodies of one invocation's `fetch` calls. The function reads them piece by piece. */
export class OpenBodies {
  readonly #bodies = new Map<number, OpenBody>();

  get size(): number {
    return this.#bodies.size;
  }

  /** @param id of the request */
  keep(id: number, name: string, pieces: AsyncIterable<Uint8Array>, controller: AbortController): void {
    this.#bodies.set(id, { name, pieces: pieces[Symbol.asyncIterator](), controller });
  }

  /** Method and address of the fetch. */
  nameOf(id: number): string {
    return this.#bodies.get(id)?.name ?? '';
  }

  /** The next piece; undefined at the end, or if the body was abandoned. Rejects when the network fails. */
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

  /** Abandons a body: the rest is not needed. */
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
  /** Aborts the fetch: closes the connection and rejects a pending read. */
  readonly controller: AbortController;
}

/** Reads the whole body, whichever form it has. */
export async function wholeBody(body: FetchResponse['body']): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
