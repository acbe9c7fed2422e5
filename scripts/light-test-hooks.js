/**
 * Loaded first by the processes of tests (`--import`): Node's test runner finds the test to which an error belongs by a hook on every promise
 * that is made and collected, which takes a fifth of the processor time of tests that await much. Here it finds it by an
 * AsyncLocalStorage, which costs nothing. `test/light-test-hooks.test.ts` holds that it finds the same. Without this file (`node --test` on
 * a single file) tests run as well.
 */
import hooks, { AsyncLocalStorage } from 'node:async_hooks';

const { AsyncResource, createHook, executionAsyncId } = hooks;
const current = new AsyncLocalStorage();
/** The runner's own hook: it takes down the id of each test. */
let runner;

hooks.AsyncResource = class extends AsyncResource {
  constructor(type, ...rest) {
    super(type, ...rest);
    if (type === 'Test') runner?.init(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  runInAsyncScope(work, self, ...args) {
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => Reflect.apply(work, self, args)));
  }
};
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId();
hooks.createHook = (callbacks) => {
  if (runner) return createHook(callbacks);
  const hook = {
    enable() {
      runner = callbacks;
      return hook;
    },
    disable: () => hook,
  };
  return hook;
};
await import('node:test');
// The runner alone has taken these.
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
