import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../../src/std/index.ts';

/** A part of a page that does something: a fence, or `<!-- before: COMMAND -->`, which readers do not see. */
export interface Block {
  readonly language: string;
  /** The file it is to be written to: `// name` in its first line, or `title="name"` behind its language. */
  readonly file: string | undefined;
  readonly text: string;
  /** Line of its first line of text, from 1. */
  readonly line: number;
}

export interface Page {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** Pages whose commands are run: what a newcomer reads, and the guide. */
export function pagesForPeople(): Page[] {
  return ['README.md', 'CONTRIBUTING.md', ...below('docs/guide')].map(readPage);
}

/** Every page of the project. */
export function everyPage(): Page[] {
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below('docs')].map(readPage);
}

function below(folder: string): string[] {
  const root = packageRoot();
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

export function readPage(path: string): Page {
  const text = readFileSync(join(packageRoot(), path), 'utf8');
  return { path, text, blocks: blocksOf(text) };
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; info: string; from: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (open === undefined) {
      const fence = /^(`{3,})(.*)$/.exec(line);
      const before = /^<!-- before: (.*) -->$/.exec(line)?.[1];
      if (fence) open = { fence: fence[1] ?? '', info: (fence[2] ?? '').trim(), from: index + 2, lines: [] };
      else if (before !== undefined) blocks.push({ language: 'sh', file: undefined, text: before, line: index + 1 });
    } else if (line === open.fence) {
      blocks.push(blockOf(open.info, open.lines, open.from));
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

function blockOf(info: string, lines: string[], line: number): Block {
  const language = info.split(' ')[0] ?? '';
  const titled = /\btitle="([^"]+)"/.exec(info)?.[1];
  const named = /^(?:\/\/|\/\*) ([\w./-]+\.\w+)(?: \*\/)?$/.exec(lines[0] ?? '')?.[1];
  return { language, file: titled ?? named, text: lines.join('\n'), line };
}

/** Text outside fences and comments. */
function prose(text: string): string {
  return text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
}

/** Where the links and pictures of a page lead. */
export function targetsOf(text: string): string[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  );
}

/** The pictures of a page, each also as it is for readers with a dark page. */
export function picturesOf(text: string): string[] {
  return targetsOf(text).filter((target) => target.endsWith('.png'));
}

/** The names that headings can be linked by, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, title = ''] of prose(text).matchAll(/^#{1,6} +(.*)$/gm)) {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
