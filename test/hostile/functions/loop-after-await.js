export default async (sdk) => { await sdk.call('echo'); for (;;) {} };
