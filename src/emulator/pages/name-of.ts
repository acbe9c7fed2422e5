interface Named {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** Display name of a customer: the first of these with a visible character. */
export function nameOf({ id, name, phone, email }: Named): string {
  return [name, phone, email].find((text) => text && isVisible(text)) ?? id;
}

/** A name of spaces and zero-width characters would be an invisible link. */
const isVisible = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
