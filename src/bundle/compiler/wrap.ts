/**
 * Escapes code for a page's `<script>`, where `<!--` in a string would hide the end of the element. esbuild already escapes
 * `</script`.
 */
export function scriptSafe(code: string): string {
  return code.replaceAll('<!--', '\\x3C!--');
}
