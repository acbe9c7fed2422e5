/** Whether a media type is JSON: `application/json` or `application/…+json`, in any case and with any parameters. */
export function isJsonType(type = ''): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
}
