/**
 * A view is put into a page's `<script>`, where `<!--` in a string would hide the end of the element. esbuild itself takes care of
 * `</script`.
 */
export function scriptSafe(code: string): string {
  return code.replaceAll('<!--', '\\x3C!--');
}
