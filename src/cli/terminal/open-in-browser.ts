/**
 * Opens an address in the browser of this machine. Only addresses that we built: https, or this machine. No shell sees it, and
 * where there is no browser nothing happens.
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
  // Not `cmd /c start`: a shell would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
