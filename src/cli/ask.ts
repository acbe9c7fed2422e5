/** What a question is about: the flag and the variable that answer it beforehand. */
export interface Question {
  readonly message: string;
  /** `--name <text>` or `NAME`: named in the usage error where nobody can be asked. */
  readonly flag: string;
  readonly variable?: `FN_${string}`;
}

/** Questions on the terminal. Ctrl-C at one is an InterruptedError (130). */
export interface Ask {
  /** Standard input and standard error are terminals, `CI` is unset, neither `--no-input` nor `--json` was given. */
  readonly possible: boolean;
  text(question: Question & { default?: string; check?: (value: string) => true | string }): Promise<string>;
  /** Not echoed. */
  secret(question: Question): Promise<string>;
  choose<T extends string>(question: Question & { choices: readonly Choice<T>[]; default?: T }): Promise<T>;
  /** Where nobody can be asked: a usage error naming `flag` (usually `--yes`). */
  confirm(question: Question & { default?: boolean }): Promise<boolean>;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
  readonly description?: string;
}
