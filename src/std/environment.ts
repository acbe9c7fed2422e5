/** Variables of a process, passed in so that tests can have their own. */
export type Environment = Readonly<Record<string, string | undefined>>;
