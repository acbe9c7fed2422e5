interface Named {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** What a customer is called on a page: the first of these in which there is something to see. */
export function nameOf({ id, name, phone, email }: Named): string {
  return [name, phone, email].find((text) => text && isVisible(text)) ?? id;
}

/** A name of spaces and marks without width would be a link that nobody finds. */
const isVisible = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
