/** Normalises a language: `EN-us` and `en_US` are both stored as `en_US`. */
export function languageOf(text: string): string {
  const [language = '', ...region] = text.split(/[_-]/);
  if (region.length === 0) return language.toLowerCase();
  const rest = region.join('_');
  return `${language.toLowerCase()}_${rest.length === 2 ? rest.toUpperCase() : rest}`;
}
