// The parser, which nothing interrupts.
export default async function () {
  for (const text of ['1+'.repeat(3e7) + '1', '['.repeat(5e7), 'a=>'.repeat(1e7) + '1', '`${'.repeat(5e6), '/'+'(?:'.repeat(5e6), 'a?.'.repeat(1e7)+'b', 'x:'.repeat(1e7), '({a:'.repeat(1e7)]) {
    try {
      new Function(text);
    } catch {}
    try {
      (0, eval)(text);
    } catch {}
  }
}
