import type { FlowLayout, PlacedEdge, PlacedNode, Point } from './layout.ts';

/** A drawing that needs nothing beside itself; its colours follow the reader's light or dark mode. */
export function svgOf({ title, width, height, nodes, edges }: FlowLayout): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>',
    ...edges.map(edgeText),
    ...nodes.map(nodeText),
    '</svg>',
    '',
  ].join('\n');
}

const style = [
  'svg{color-scheme:light dark;font:13px system-ui,sans-serif;--ink:#1d2433;--soft:#5b6577;--line:#8c95a6;--paper:#fff;--trouble:#b4442f}',
  '@media(prefers-color-scheme:dark){svg{--ink:#e8ebf2;--soft:#a2acbd;--line:#7d879a;--paper:#1b2130;--trouble:#ff9580}}',
  'text{fill:var(--ink);text-anchor:middle}.detail,.label{fill:var(--soft);font-size:11px}.label{paint-order:stroke;stroke:var(--paper);stroke-width:4px}',
  'rect{fill:var(--paper);stroke:var(--line);stroke-width:1.5}path.way{fill:none;stroke:var(--line);stroke-width:1.5;marker-end:url(#arrow)}',
  'path.trouble{stroke:var(--trouble);stroke-dasharray:4 3}marker path{fill:var(--line)}',
  '.trigger rect,.end rect{rx:22px}.condition rect{stroke:#a06a00}.custom-flow-node rect{stroke:#2f6fd0}.ai rect,.ai-agent rect{stroke:#7a4bd0}.handover rect,.assign rect{stroke:#1f8a5b}',
].join('');

function nodeText({ name, type, title, detail, x, y, width, height }: PlacedNode): string {
  const words = detail === '' ? type : detail;
  return [
    `<g class="${type}" id="node-${escaped(name)}">`,
    `<rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${round(height)}" rx="6"/>`,
    `<text x="${round(x)}" y="${round(y - 3)}">${escaped(title)}</text>`,
    `<text class="detail" x="${round(x)}" y="${round(y + 13)}">${escaped(words)}</text>`,
    '</g>',
  ].join('');
}

function edgeText({ from, to, label, isTrouble, points, labelAt }: PlacedEdge): string {
  const way = `<path class="way${isTrouble ? ' trouble' : ''}" data-from="${escaped(from)}" data-to="${escaped(to)}" d="${pathOf(points)}"/>`;
  if (label === '') return way;
  return `${way}<text class="label" x="${round(labelAt.x)}" y="${round(labelAt.y + 4)}">${escaped(label)}</text>`;
}

/** A line through the points, its corners rounded. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, i) => {
    const after = rest[i + 1] ?? last;
    const isLast = i === rest.length - 2;
    const to = isLast ? last : { x: (point.x + after.x) / 2, y: (point.y + after.y) / 2 };
    return `Q${at(point)} ${at(to)}`;
  });
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join('')}`;
}

const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
const round = (value: number) => Math.round(value * 10) / 10;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
