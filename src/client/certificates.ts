import { type Environment, MachineError } from '../std/index.ts';

/**
 * Reads certificate authorities beyond the built-in ones, for a workspace behind a company's own: FN_CA_FILE, SSL_CERT_FILE. Node
 * itself reads NODE_EXTRA_CA_CERTS.
 * @returns undefined when no file is named, so that the common case loads nothing
 * @throws MachineError ca_file_unreadable
 */
export function authorities(env: Environment): string[] | undefined {
  const named = [env['FN_CA_FILE'] ? 'FN_CA_FILE' : undefined, env['SSL_CERT_FILE'] ? 'SSL_CERT_FILE' : undefined];
  const variables = named.filter((name) => name !== undefined);
  if (variables.length === 0) return undefined;
  const tls: typeof import('node:tls') = process.getBuiltinModule('node:tls');
  const fs: typeof import('node:fs') = process.getBuiltinModule('node:fs');
  const extra = variables.map((name) => {
    const file = env[name] ?? '';
    try {
      return fs.readFileSync(file, 'utf8');
    } catch (cause) {
      throw new MachineError('ca_file_unreadable', `${name} names ${file}, which cannot be read`, {
        hint: 'Set it to a PEM file with certificates, or unset it.',
        cause,
      });
    }
  });
  return [...tls.getCACertificates('default'), ...extra];
}
