// Looks for the functions of our own code: in stack frames, and as callers. One of them is the way into the context, with limits of one's choice.
export default async (sdk) => {
  const found = [];
  const probe = new Function('found', 'return function probe() { if (probe.caller) found.push(`caller ${probe.caller}`); return "x"; }')(found);
  Error.prepareStackTrace = (_, frames) => {
    for (const frame of frames)
      for (const get of ['getFunction', 'getThis']) {
        const value = frame[get]();
        if (value !== undefined) found.push(`${get} ${frame.getFunctionName()} ${value}`);
      }
    return '';
  };
  const look = (error) => void error.stack;
  await sdk.call('refuse').catch(look);
  await sdk.call({ toString: probe }, { toJSON: probe });
  await sdk.call('echo', { get a() { throw new Error(probe()); } }).catch(look);
  await Promise.all(Array.from({ length: 1_100 }, () => sdk.call('echo').catch(look)));
  try { globalThis[Symbol.for('convo-fn.native')].sync(() => {}); } catch (error) { look(error); }
  Error.prepareStackTrace = undefined;
  return { found, toJSON: undefined, get last() { return probe(); } };
};
