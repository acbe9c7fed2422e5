/** SHA-256 in hexadecimal; a text is hashed as UTF-8. The module is loaded lazily: not every start needs it. */
export function sha256Hex(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex');
}
