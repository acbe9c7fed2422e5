import ivm from 'isolated-vm';

/**
 * V8 would look for garbage among old objects only when they take tens of MiB: in an isolate that is always the same and keeps nothing,
 * after half a million invocations. It makes later limits itself, 8 MiB above what lives.
 */
const firstLook = '--initial-old-space-size';
const firstLookMb = 8;

/**
 * An isolate that looks early for garbage. The flag is turned for this moment only: what is compiled under other flags than Node was built
 * with is compiled from its text, Node's own modules too, and that would take a child 8 ms of its start.
 */
export function newIsolate(options: ivm.IsolateOptions): ivm.Isolate {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString(`${firstLook}=${firstLookMb}`);
  try {
    return new ivm.Isolate(options);
  } finally {
    setFlagsFromString(`${firstLook}=0`);
  }
}
