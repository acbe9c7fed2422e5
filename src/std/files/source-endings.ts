/** Extensions of files that functions import as code. */
export const codeEndings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json', '.css'] as const;

/** Extensions of files that functions import as text. */
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
