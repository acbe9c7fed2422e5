import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MachineError, nearest, packageFile, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { markdownText } from '../terminal/markdown.ts';
import { table } from '../terminal/table.ts';

interface Topic {
  readonly name: string;
  readonly kind: 'guide' | 'reference' | 'platform';
  readonly title: string;
  readonly text: string;
}

/** How many pages that contain a word are listed. */
const mostPages = 4;

export const command = defineCommand({
  description:
    'Shows the guide, the reference and what is known about the platform in the terminal, offline. A topic is a page (operations, deploy), a file of an app (fn.config.json, seed.json), or a part of a page (templates.send). For any other word it lists the pages that mention it.',
  arguments: { topic: { summary: 'What to read; default: the list of pages', optional: true, many: true } },
  examples: [
    { line: 'fn docs', does: 'lists the pages', runs: true },
    { line: 'fn docs operations', does: 'shows the operations of a workspace' },
    { line: 'fn docs templates.send', does: 'shows one of them' },
  ],
  json: '{items: [{name, kind, title}]}, or {name, title, text} with the text as Markdown.',
  complete: { topic: async () => (await topics()).map(({ name }) => name) },
  async run({ io }, { topic }) {
    const all = await topics();
    const asked = (topic ?? []).join(' ').trim();
    if (asked === '') {
      const items = all.map(({ name, kind, title }) => ({ name, kind, title }));
      io.result({ items }, () => overviewOf(all, io.style.cyan));
      return;
    }
    const found =
      all.find((topic) =>
        [topic.name, `${topic.kind}/${topic.name}`, topic.title.toLowerCase()].includes(pageMeant(asked)),
      ) ?? part(all, asked);
    if (found === undefined)
      throw new UsageError('topic_unknown', `There is no page "${asked.slice(0, 60)}"`, { hint: hintFor(all, asked) });
    io.result({ name: found.name, title: found.title, text: found.text }, () => markdownText(found.text, io));
  },
});

/** Suggests a page with a similar name, or pages that contain the word, or a similar heading. */
function hintFor(all: readonly Topic[], asked: string): string {
  const near = (names: readonly string[]) => {
    const meant = nearest(asked.toLowerCase(), names);
    return meant === undefined ? undefined : `Did you mean: fn docs ${meant}`;
  };
  return (
    near(all.map(({ name }) => name)) ??
    spokenOf(all, asked) ??
    near(all.flatMap(({ text }) => headings(text).map(({ title }) => title.toLowerCase()))) ??
    'See: fn docs'
  );
}

/** The pages that contain these words, by frequency. */
function spokenOf(all: readonly Topic[], asked: string): string | undefined {
  const words = asked.slice(0, 60).split(/\s+/).map(RegExp.escape).join('\\s+');
  const said = new RegExp(`(?<![\\p{L}\\d])${words}`, 'giu');
  const pages = all
    .map((topic) => ({ line: `fn docs ${addressOf(all, topic)}`, times: [...topic.text.matchAll(said)].length }))
    .filter(({ times }) => times > 0)
    .toSorted((one, other) => other.times - one.times)
    .slice(0, mostPages);
  return pages.length === 0 ? undefined : `These pages mention it: ${pages.map(({ line }) => line).join(' · ')}`;
}

/** The name of a topic. If guide and reference have a page with the same name, it means the guide's. */
function addressOf(all: readonly Topic[], topic: Topic): string {
  return all.find(({ name }) => name === topic.name) === topic ? topic.name : `${topic.kind}/${topic.name}`;
}

/** Maps spoken names of files to pages. */
function pageMeant(asked: string): string {
  const name = asked.toLowerCase();
  return name === 'config' ? 'app-config' : name;
}

async function topics(): Promise<Topic[]> {
  // docs/*.md are guides as well: docs/ci.md is where people look for it in a repository.
  const folders = [
    topicsIn('docs', 'guide'),
    topicsIn('docs/guide', 'guide'),
    topicsIn('docs/reference', 'reference'),
    topicsIn('docs/platform', 'platform'),
  ];
  const found = (await Promise.all(folders)).flat();
  if (found.length > 0) return found;
  throw new MachineError('docs_missing', `The documentation is missing from ${packageFile('docs')}`, {
    hint: 'Reinstall convo-fn.',
  });
}

async function topicsIn(path: string, kind: Topic['kind']): Promise<Topic[]> {
  const folder = packageFile(path);
  const names = (await readdir(folder).catch(() => []))
    // The other folders' README.md are lists of pages.
    .filter((name) => name.endsWith('.md') && (name !== 'README.md' || kind === 'platform'))
    .sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const topic = name === 'README.md' ? kind : basename(name, '.md');
      return { name: topic, kind, title: headings(text)[0]?.title ?? topic, text };
    }),
  );
}

function overviewOf(all: readonly Topic[], paint: (text: string) => string): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const rows = (kind: Topic['kind']) =>
    table(
      all.filter((topic) => topic.kind === kind).map(({ name, title }) => [name.padEnd(width), title]),
      (cell, column) => (column === 0 ? paint(cell) : cell),
    ).replace(/^/gm, '  ');
  const parts = [
    ['The guide', rows('guide')],
    ['The reference', rows('reference')],
    ['The platform', rows('platform')],
  ].flatMap(([title, lines]) => (lines?.trim() ? [`${title}\n${lines}`] : []));
  return [...parts, `Read one: ${paint('fn docs TOPIC')}`].join('\n\n');
}

/** The section with that heading. */
function part(all: readonly Topic[], asked: string): Topic | undefined {
  const wanted = asked.toLowerCase();
  for (const { text, kind } of all) {
    const found = headings(text);
    const at = found.findIndex(({ title, level }) => level > 1 && title.toLowerCase() === wanted);
    const heading = found[at];
    if (heading === undefined) continue;
    const end = found.slice(at + 1).find(({ level }) => level <= heading.level);
    const lines = text.split('\n').slice(heading.line, end?.line);
    return { name: asked, kind, title: heading.title, text: lines.join('\n').trimEnd() };
  }
  return undefined;
}

function headings(text: string): { title: string; level: number; line: number }[] {
  let inCode = false;
  return text.split('\n').flatMap((content, line) => {
    if (content.startsWith('```')) inCode = !inCode;
    const match = inCode ? null : /^(#{1,6}) +(.*)$/.exec(content);
    return match ? [{ title: (match[2] ?? '').replaceAll('`', '').trim(), level: match[1]?.length ?? 1, line }] : [];
  });
}
