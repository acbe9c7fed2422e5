import type { McpTool } from './types.ts';

const maxDescription = 1024;

/**
 * What is suspicious about the texts of tools, by name. Texts of servers reach models, so a server can try to give them orders; this finds
 * the usual ways and withholds nothing.
 * @param others names of the tools of other servers
 */
export function lintTools(tools: readonly McpTool[], others: ReadonlyMap<string, string>): Map<string, string[]> {
  const names = tools.map(({ name }) => name);
  return new Map(tools.map((tool) => [tool.name, [...lintTool(tool, names), ...findTwin(tool, others)]]));
}

function* lintTool({ name, title, description, inputSchema }: McpTool, names: readonly string[]): Generator<string> {
  const told = `${title ?? ''}\n${description}\n${JSON.stringify(inputSchema)}`;
  if (invisible.test(told)) yield 'its texts have invisible characters';
  const bytes = Buffer.byteLength(description);
  if (bytes > maxDescription) yield `its description has ${bytes} bytes`;
  const mentioned = names.filter((other) => other !== name && other.length > 3 && mentions(description, other));
  if (mentioned.length > 0) yield `its description speaks of ${mentioned.slice(0, 3).join(', ')}`;
  if (orders.test(told)) yield 'its texts give orders to the model';
}

function findTwin({ name }: McpTool, others: ReadonlyMap<string, string>): string[] {
  const other = others.get(name);
  return other === undefined ? [] : [`${other} has a tool of this name, too`];
}

/** Zero-width characters, bidirectional controls, tags and other controls, but for line breaks and tabs. */
const invisible = /(?![\n\r\t])[\p{Cc}\p{Cf}]/u;
const orders =
  /\b(?:ignore (?:all |any )?(?:previous|prior|earlier|other)|do not (?:tell|inform|mention)|without (?:telling|asking|informing) the (?:user|customer)|you must (?:always|first|never)|system prompt|<\/?(?:important|system)>)/i;

function mentions(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at === -1) return false;
  const isWord = (char: string | undefined) => char !== undefined && /[\w-]/.test(char);
  return !isWord(text[at - 1]) && !isWord(text[at + name.length]);
}
