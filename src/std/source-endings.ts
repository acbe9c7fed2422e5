/** Endings of files that become code in a function that imports them. */
export const codeEndings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.css'] as const;

/** Endings of files that are texts in a function that imports them. */
export const textEndings = [
  '.txt',
  '.md',
  '.html',
  '.sql',
  '.csv',
  '.tsv',
  '.xml',
  '.graphql',
  '.gql',
  '.yaml',
  '.yml',
  '.hbs',
  '.mustache',
  '.liquid',
  '.njk',
  '.ejs',
  '.mjml',
] as const;
