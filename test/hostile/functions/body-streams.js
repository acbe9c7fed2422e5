// Bodies out of streams that never end, that give other things than bytes, and that change what was given.
export default async () => {
  const found = [];
  const endless = () => new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1_000_000)); } });
  for (const use of [
    () => new Response(endless()).arrayBuffer(),
    () => fetch('http://a.example', { method: 'POST', body: endless(), duplex: 'half' }),
    () => new Response(endless().pipeThrough(new CompressionStream('gzip'))).text(),
  ]) { try { await use(); } catch {} }
  return new Response(endless());
};
