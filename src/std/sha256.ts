/** SHA-256 in hexadecimal, of a text in UTF-8. The module is asked for late: not every start comes here. */
export function sha256Hex(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex');
}
