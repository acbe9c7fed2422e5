import ivm, { type ExternalCopy, type Isolate, type Script } from 'isolated-vm';
import { bridgeSource } from './bridge/source.ts';

/** File name of everything that is ours inside an isolate; frames that name it are never shown. */
export const ownFile = 'fn:sandbox';

type CompiledScript = Script & { cachedData?: ExternalCopy<ArrayBuffer>; cachedDataRejected?: boolean };

const sizeOf = (code: ExternalCopy<ArrayBuffer> | undefined) => code?.copy().byteLength ?? 0;

/**
 * The script that every context runs first: web layer, prelude, and the bridge. Its value is what the bridge returns.
 * The code cache is machine code: made by this process, or by one before it in which nobody's program had run yet.
 */
export class Base {
  readonly #text: string;
  #cache: ExternalCopy<ArrayBuffer> | undefined;

  /** @param kept the code as `code` once gave it */
  constructor(layer: string, prelude: string, kept?: Uint8Array) {
    this.#text = `${layer}\n;${prelude}\n;${bridgeSource()}\n`;
    if (kept) this.#cache = new ivm.ExternalCopy(Uint8Array.prototype.slice.call(kept).buffer);
  }

  /** What V8 made of it; undefined before the first `compile` has ended. */
  get code(): Uint8Array | undefined {
    const copy = this.#cache?.copy();
    return copy && new Uint8Array(copy);
  }

  async compile(isolate: Isolate): Promise<Script> {
    if (this.#cache) {
      const script = await isolate.compileScript(this.#text, { filename: ownFile, cachedData: this.#cache });
      if ((script as CompiledScript).cachedDataRejected) this.#cache = undefined;
      return script;
    }
    const script = await isolate.compileScript(this.#text, { filename: ownFile, produceCachedData: true });
    this.#cache = (script as CompiledScript).cachedData;
    return script;
  }

  /**
   * From now on isolates begin with the functions that were called in this one. V8 compiles a function at its first call, and for what a
   * small program calls of ours that takes longer than all else in its first invocation.
   */
  async learn(isolate: Isolate): Promise<void> {
    const script: CompiledScript = await isolate.compileScript(this.#text, {
      filename: ownFile,
      produceCachedData: true,
    });
    script.release();
    // Should V8 have forgotten the script, it has compiled it anew, and knows less.
    if (script.cachedData && sizeOf(script.cachedData) > sizeOf(this.#cache)) this.#cache = script.cachedData;
  }
}
