/**
 * Restores the author's names. The bundler names an anonymous default export after its file, `price_default`, and numbers the second
 * use of a name, `PriceError2`. Neither occurs in a source.
 */

type IsWritten = (words: string) => boolean;

const anonymousDefault = /^[\w$]+_default\d*$/;
const numbered = /^([\w$]*[A-Za-z_$])\d+$/;

/** @param isWritten whether the name occurs in any of the program's sources */
export function className(name: string, isWritten: IsWritten): string {
  const [, before] = numbered.exec(name) ?? [];
  return before !== undefined && !isWritten(name) && isWritten(`class ${before} `) ? before : name;
}

/** @param isWritten whether the name occurs in the frame's source */
export function frame(line: string, isWritten: IsWritten): string {
  return line.replace(
    /^(\s*at (?:async |new )*)([\w$]+)(?=[. ])/,
    (_, at: string, name: string) => at + functionName(name, isWritten),
  );
}

function functionName(name: string, isWritten: IsWritten): string {
  if (isWritten(name)) return name;
  if (anonymousDefault.test(name)) return 'default';
  const [, before] = numbered.exec(name) ?? [];
  return before !== undefined && isWritten(before) ? before : name;
}
