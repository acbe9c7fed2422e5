/** The text where it is no longer than this, else its beginning and an ellipsis. A sign outside the basic plane is not cut in half. */
export function shortened(text: string, mostLength: number): string {
  if (text.length <= mostLength) return text;
  return `${text.slice(0, mostLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
