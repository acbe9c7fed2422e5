/** The file name of a source in a source map, where names are URLs: the compiler encodes umlauts and brackets. */
export function sourceName(source: string): string {
  try {
    return decodeURIComponent(source);
  } catch {
    return source;
  }
}
