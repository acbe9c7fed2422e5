/** Variables of a process, handed in so that tests have their own. */
export type Environment = Readonly<Record<string, string | undefined>>;
