import ivm, { type ExternalCopy, type Isolate, type Script } from 'isolated-vm';
import { bridgeSource } from './bridge/source.ts';

/** File name of all of our code inside an isolate. Stack frames that name it are never shown. */
export const ownFile = 'fn:sandbox';

type CompiledScript = Script & { cachedData?: ExternalCopy<ArrayBuffer>; cachedDataRejected?: boolean };

const sizeOf = (code: ExternalCopy<ArrayBuffer> | undefined) => code?.copy().byteLength ?? 0;

/**
 * The script that every context runs first: web layer, prelude and bridge. It evaluates to what the bridge returns.
 * The code cache holds machine code, so it only comes from this process, or from an earlier one in which no program had run yet.
 */
export class Base {
  readonly #text: string;
  #cache: ExternalCopy<ArrayBuffer> | undefined;

  /** @param kept an earlier value of `code` */
  constructor(layer: string, prelude: string, kept?: Uint8Array) {
    this.#text = `${layer}\n;${prelude}\n;${bridgeSource()}\n`;
    if (kept) this.#cache = new ivm.ExternalCopy(Uint8Array.prototype.slice.call(kept).buffer);
  }

  /** V8's code cache of the script; undefined until the first `compile` has finished. */
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
   * Lets later isolates start with the functions that were called in this one already compiled. V8 compiles a function at its first call; for a
   * small program, compiling our functions takes longer than everything else in its first invocation.
   */
  async learn(isolate: Isolate): Promise<void> {
    const script: CompiledScript = await isolate.compileScript(this.#text, {
      filename: ownFile,
      produceCachedData: true,
    });
    script.release();
    // If V8 had dropped the script and compiled it again, its new cache holds less than ours.
    if (script.cachedData && sizeOf(script.cachedData) > sizeOf(this.#cache)) this.#cache = script.cachedData;
  }
}
