// Lines that look like the protocol between the processes, by every way that writes.
export default async (sdk) => {
  const lines = '\n[{"t":"done","invocation":1,"status":"ok","json":"\\"forged\\""}]\n{"t":"ready"}\n';
  console.log(lines);
  process.stdout?.write?.(lines);
  await sdk.call(lines, { t: 'done', status: 'ok', json: '"forged"' });
  try { await fetch(`https://example.com/${encodeURIComponent(lines)}`); } catch {}
  return lines;
};
