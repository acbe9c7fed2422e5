/** Whether a media type says JSON: `application/json` or `application/…+json`, in whatever case and with whatever parameters. */
export function isJsonType(type = ''): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
}
