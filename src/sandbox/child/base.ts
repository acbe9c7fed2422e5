import type { ExternalCopy, Isolate, Script } from 'isolated-vm';
import { bridge } from './bridge.ts';

/** File name of everything that is ours inside an isolate; frames that name it are never shown. */
export const ownFile = 'fn:sandbox';

/**
 * The script that every context runs first: web layer, prelude, and the bridge as its value.
 * The code cache is made by this process for itself and never comes from outside: it is machine code.
 */
export class Base {
  readonly #text: string;
  #cache: ExternalCopy<ArrayBuffer> | undefined;

  constructor(layer: string, prelude: string) {
    this.#text = `${layer}\n;${prelude}\n;(${String(bridge)})\n`;
  }

  async compile(isolate: Isolate): Promise<Script> {
    if (this.#cache) return isolate.compileScript(this.#text, { filename: ownFile, cachedData: this.#cache });
    const script = await isolate.compileScript(this.#text, { filename: ownFile, produceCachedData: true });
    this.#cache = (script as Script & { cachedData?: ExternalCopy<ArrayBuffer> }).cachedData;
    return script;
  }
}
