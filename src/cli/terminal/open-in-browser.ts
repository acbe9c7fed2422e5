/**
 * Opens an address in this machine's browser. Only addresses that we built: https, or this machine. No shell is involved, and
 * without a browser nothing happens.
 * @returns whether a program was started
 */
export function openInBrowser(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const isLocal = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return false;
  const [program, ...before] = openerOf(process.platform);
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, [...before, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // Not `cmd /c start`: a shell would interpret the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
