/**
 * What the author calls things. The bundler calls an anonymous default export after its file, `price_default`, and gives the second
 * thing of a name a number, `PriceError2`: no source has these words.
 */

type IsWritten = (words: string) => boolean;

const anonymousDefault = /^[\w$]+_default\d*$/;
const numbered = /^([\w$]*[A-Za-z_$])\d+$/;

/** @param isWritten whether any of the program's sources says so */
export function className(name: string, isWritten: IsWritten): string {
  const [, before] = numbered.exec(name) ?? [];
  return before !== undefined && !isWritten(name) && isWritten(`class ${before} `) ? before : name;
}

/** @param isWritten whether the source that the frame is in says so */
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
