/** A line of a page that its test does not run as it stands. */
export interface Exception {
  readonly line: RegExp;
  readonly why: string;
}

/** Few, and each with its reason. A test fails when one is not needed any more. */
export const exceptions: readonly Exception[] = [
  {
    line: /^npm (ci|install)\b(?!.*&&)/,
    why: 'asks a registry; the test links this package instead, and copies those that an example imports',
  },
  {
    line: /^npm ci && npm run demo\b/,
    why: 'serves until it is stopped; "npm run demo -- --once" is a step of .ci/run',
  },
  { line: /^npm ci && npm test\b/, why: 'this is it' },
  { line: /^npm run check\b/, why: 'a step of .ci/run; it takes longer than all pages together' },
  { line: /^fn logs\b.* -f\b/, why: 'follows until Ctrl-C' },
  { line: /^fn webhook listen\b/, why: 'follows until Ctrl-C' },
  { line: /^fn secret set \w+$/, why: 'asks at a terminal, without showing what is typed' },
];
