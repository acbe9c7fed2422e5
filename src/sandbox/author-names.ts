/**
 * Restores the author's names. The bundler names an anonymous default export after its file, `price_default`, numbers the second
 * use of a name, `PriceError2`, and puts an underscore before the name of a class that uses itself, `_PriceError`. None of these occurs in
 * a source.
 */

type IsWritten = (words: string) => boolean;

const anonymousDefault = /^[\w$]+_default\d*$/;
const numbered = /^([\w$]*[A-Za-z_$])\d+$/;

/** @param isWritten whether the name occurs in any of the program's sources */
export function className(name: string, isWritten: IsWritten): string {
  if (isWritten(name)) return name;
  return written(name, (before) => isWritten(`class ${before} `));
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
  return written(name, isWritten);
}

function written(name: string, isWritten: IsWritten): string {
  const [, before = name] = numbered.exec(name) ?? [];
  return [before, name.replace(/^_/, ''), before.replace(/^_/, '')].find(isWritten) ?? name;
}
