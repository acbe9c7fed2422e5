/** What a context's `native.sync` and `web.*` operations run: the web layer's own tables. */
export { createNative, type NativeTables as Native } from '../web/native.ts';
