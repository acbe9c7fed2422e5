// The compiler of regular expressions.
export default async function () {
  for (const text of ['(?:a{1,1000}){1,1000}', '(?:(?:a{500}){500}){500}', '[' + Array.from({ length: 60_000 }, (_, i) => String.fromCodePoint(i * 2 + 0x100)).join('') + ']{1000}', '\\p{L}{5000}', '(?<=(?:a|b|c){5000})'.repeat(50), '(a)'.repeat(30_000)]) {
    for (const flags of ['', 'u', 'iu', 'v', 'iv']) {
      try {
        new RegExp(text, flags).test('a'.repeat(10_000));
      } catch {}
    }
  }
}
