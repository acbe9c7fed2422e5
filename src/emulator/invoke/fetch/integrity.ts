import { createHash } from 'node:crypto';

const strengths = ['sha256', 'sha384', 'sha512'];

/**
 * Whether bytes match their integrity metadata: https://www.w3.org/TR/sri/#does-response-match-metadatalist. Only the strongest hash
 * counts; metadata without a known hash matches everything.
 * @param metadata such as `sha256-… sha512-…`
 */
export function matchesIntegrity(bytes: Uint8Array, metadata: string): boolean {
  const named = metadata.split(/\s+/).flatMap((one) => {
    const [, algorithm = '', digest = ''] = /^(sha\d{3})-([\w+/-]+={0,2})(?:\?.*)?$/i.exec(one) ?? [];
    const strength = strengths.indexOf(algorithm.toLowerCase());
    return strength < 0 ? [] : [{ strength, digest: Buffer.from(digest, 'base64') }];
  });
  if (named.length === 0) return true;
  const strongest = Math.max(...named.map(({ strength }) => strength));
  const hash = createHash(strengths[strongest] as string)
    .update(bytes)
    .digest();
  return named.some(({ strength, digest }) => strength === strongest && digest.equals(hash));
}
