/** How large the parts of the package are: its folders, and its ten largest files. */
export function sizeReport(files: ReadonlyMap<string, number>): string {
  const folders = new Map<string, { count: number; bytes: number }>();
  for (const [path, bytes] of files) {
    const name = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
    const folder = folders.get(name) ?? { count: 0, bytes: 0 };
    folders.set(name, { count: folder.count + 1, bytes: folder.bytes + bytes });
  }
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
  const largest = [...files].sort(([, a], [, b]) => b - a).slice(0, 10);
  return [
    ...[...folders].map(([name, { count, bytes }]) => row(`dist/${name === '.' ? '' : name}`, bytes, `${count} files`)),
    row('dist', total, `${files.size} files`),
    'largest:',
    ...largest.map(([path, bytes]) => row(`  ${path}`, bytes, '')),
  ].join('\n');
}

function row(name: string, bytes: number, note: string): string {
  return `${name.padEnd(44)}${(bytes / 1024).toFixed(1).padStart(9)} KiB  ${note}`.trimEnd();
}
