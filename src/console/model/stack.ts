/** A line of a stack in the author's files. */
export interface StackLine {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The frames of a stack that name a file, in V8's form. */
export function stackLinesOf(stack: string): StackLine[] {
  return stack.split('\n').flatMap((text) => {
    const found = text.length > 2_000 ? null : /^\s*at (?:(.*?) \()?([^()]+?):(\d+):(\d+)\)?$/.exec(text);
    if (!found) return [];
    const [, name = '', file = '', line, column] = found;
    return [{ name, file, line: Number(line), column: Number(column) }];
  });
}
