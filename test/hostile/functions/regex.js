export default async (sdk) => { await sdk.call('echo'); return /^(\w+\s?)*$/.test('a'.repeat(60) + '!'); };
