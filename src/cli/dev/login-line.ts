import { isAbsolute } from 'node:path';

/** The command that logs in to a workspace with the token in a file, for the shell that people use on this system. */
export function loginLine(address: string, tokenFile: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32'
    ? `Get-Content '${tokenFile.replaceAll("'", "''")}' | fn login ${address} --token-stdin`
    : `fn login ${address} --token-stdin < ${quoted(tokenFile)}`;
}

/** In quotes only if the shell needs them. */
function quoted(path: string): string {
  return isAbsolute(path) && /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
