// Numbers and texts that grow faster than anybody looks.
export default async function () {
  for (const work of [
    () => 7n ** (2n ** 27n),
    () => BigInt('9'.repeat(5e7)),
    () => (3n ** 10_000_000n).toString(),
    () => BigInt.asUintN(2 ** 30, -1n),
    () => 'x'.repeat(2 ** 28).split(''),
    () => 'x'.repeat(2 ** 28).normalize('NFKD'),
    () => 'ß'.repeat(2 ** 27).toLocaleUpperCase('de'),
    () => [...new Intl.Segmenter('th', { granularity: 'word' }).segment('ก'.repeat(2 ** 26))],
    () => new Intl.Collator('de', { numeric: true }).compare('1'.repeat(2 ** 27), '1'.repeat(2 ** 27)),
    () => new Intl.ListFormat('de').format(Array.from({ length: 2 ** 22 }, () => 'x'.repeat(100))),
    () => new Intl.NumberFormat('de', { maximumFractionDigits: 100 }).format('9'.repeat(2 ** 26)),
    () => new Float64Array(2 ** 23).map(Math.random).sort((a, b) => b - a),
    () => Array.from({ length: 2 ** 24 }, Math.random).sort(),
    () => JSON.parse('['.repeat(2 ** 27)),
    () => JSON.parse(`{${Array.from({ length: 2 ** 20 }, (_, i) => `"${i}":0`).join()}}`),
    () => new Array(2 ** 32 - 1).join('x'),
    () => 'x'.repeat(2 ** 28).replaceAll('', 'y'),
    () => 'x'.repeat(2 ** 20).localeCompare('y'.repeat(2 ** 27)),
    () => escape('ä'.repeat(2 ** 27)),
    () => Array.prototype.concat.apply([], Array.from({ length: 60_000 }, () => new Array(10_000).fill(0))),
    () => new Date(8.64e15).toLocaleString('ar-u-ca-islamic', { dateStyle: 'full' }),
  ]) {
    try {
      work();
    } catch {}
  }
  return 1;
}
