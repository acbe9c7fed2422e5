import type { DrawnEdge, DrawnNode, FlowDrawing } from './model.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode extends DrawnNode, Point {
  /** x and y are its centre. */
  readonly width: number;
  readonly height: number;
}

export interface PlacedEdge extends DrawnEdge {
  readonly points: readonly Point[];
  /** The centre of its label. */
  readonly labelAt: Point;
}

export interface FlowLayout {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

const characterWidth = 7;
const nodeHeight = 44;
const labelHeight = 16;

/** Gives every node and way a place, in pixels, from top to bottom; no two nodes overlap. */
export async function layoutFlow({ title, nodes, edges }: FlowDrawing): Promise<FlowLayout> {
  const { Graph, layout } = await import('@dagrejs/dagre');
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 36, edgesep: 16, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name, title: text, detail } of nodes) {
    const width = Math.max(96, 28 + characterWidth * Math.max(text.length, detail.length));
    graph.setNode(name, { width, height: nodeHeight });
  }
  for (const [i, { from, to, label }] of edges.entries()) {
    const size = label === '' ? { width: 0, height: 0 } : { width: characterWidth * label.length, height: labelHeight };
    graph.setEdge(from, to, { ...size, labelpos: 'c' }, String(i));
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    title,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((node) => ({ ...node, ...(graph.node(node.name) as Point & { width: number; height: number }) })),
    edges: edges.map((edge, i) => {
      const placed = graph.edge(edge.from, edge.to, String(i)) as { points: Point[]; x?: number; y?: number };
      const middle = placed.points[Math.floor(placed.points.length / 2)] ?? { x: 0, y: 0 };
      return { ...edge, points: placed.points, labelAt: { x: placed.x ?? middle.x, y: placed.y ?? middle.y } };
    }),
  };
}
