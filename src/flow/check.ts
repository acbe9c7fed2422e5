import { checkSchedule, checkTimezone } from '../contract/function-config/index.ts';
import { limits } from '../contract/index.ts';
import { checkFlowShape, type Flow, type FlowNode } from '../contract/shapes/index.ts';
import { nearest } from '../std/index.ts';
import { comparisonsOf, findPatternProblem } from './condition.ts';
import { exitsOf, triggerOf } from './exits.ts';
import { endlessCircles, unreachableNodes, type Ways, waysOf } from './graph.ts';
import { KnownPaths } from './known-paths.ts';
import { templatePaths } from './template.ts';
import type { FlowProblem, FlowProblemCode, FlowSurroundings, Json } from './types.ts';

export type CheckedFlow =
  | { readonly fits: true; readonly flow: Flow }
  | { readonly fits: false; readonly problems: readonly FlowProblem[] };

/**
 * Checks a flow as it was read from `flows/NAME.json`: its form, how its nodes fit together, every path that it names, and what it refers to.
 * @param surroundings what there is; a kind that is left out is not checked
 */
export function checkFlow(given: unknown, surroundings: FlowSurroundings = {}): CheckedFlow {
  const shape = checkFlowShape(given);
  if (!shape.fits) {
    return { fits: false, problems: shape.problems.map((problem) => ({ code: 'flow_invalid', ...problem })) };
  }
  const flow = shape.value;
  const problems = [...triggerProblems(flow), ...linkProblems(flow)];
  // What follows needs a trigger and nodes that exist.
  if (problems.length === 0) {
    const ways = waysOf(flow);
    problems.push(
      ...wayProblems(flow, ways),
      ...pathProblems(flow, ways),
      ...conversationProblems(flow),
      ...scheduleProblems(flow),
      ...referenceProblems(flow, surroundings),
    );
  }
  return problems.length === 0 ? { fits: true, flow } : { fits: false, problems };
}

const problem = (code: FlowProblemCode, path: string, message: string): FlowProblem => ({ code, path, message });
const nodesOf = (flow: Flow): [string, FlowNode][] => Object.entries(flow.nodes);

function triggerProblems(flow: Flow): FlowProblem[] {
  const triggers = nodesOf(flow).filter(([, node]) => node.type === 'trigger');
  if (nodesOf(flow).length > limits.flows.nodes)
    return [problem('flow_invalid', 'nodes', `has more than ${limits.flows.nodes} nodes`)];
  if (triggers.length === 0)
    return [problem('flow_trigger_missing', 'nodes', 'has no node of type trigger: nothing starts the flow')];
  return triggers
    .slice(1)
    .map(([name]) => problem('flow_invalid', `nodes.${name}`, `is a second trigger beside ${triggers[0]?.[0]}`));
}

function linkProblems(flow: Flow): FlowProblem[] {
  const names = Object.keys(flow.nodes);
  return nodesOf(flow).flatMap(([name, node]) => {
    const exits = exitsOf(node);
    if (exits.length === 0 && node.type !== 'end')
      return [problem('flow_dead_end', `nodes.${name}`, 'is a dead end: no way leads on, and it is no end')];
    return exits.flatMap(({ to, at }) => {
      const path = `nodes.${name}.${at}`;
      if (!Object.hasOwn(flow.nodes, to))
        return [problem('flow_node_unknown', path, `names the node ${to}, which does not exist${meant(to, names)}`)];
      if (flow.nodes[to]?.type === 'trigger')
        return [problem('flow_node_unknown', path, `leads back to the trigger ${to}: a flow is started from outside`)];
      return [];
    });
  });
}

function wayProblems(flow: Flow, ways: Ways): FlowProblem[] {
  const { name: trigger } = triggerOf(flow);
  return [
    ...unreachableNodes(flow, ways).map((name) =>
      problem('flow_node_unreachable', `nodes.${name}`, `is unreachable: no way leads to it from ${trigger}`),
    ),
    ...endlessCircles(flow, ways).map((circle) =>
      problem(
        'flow_cycle',
        `nodes.${circle[0]}`,
        `is in a cycle in which nothing waits: ${[...circle, circle[0]].join(' → ')}`,
      ),
    ),
  ];
}

/** Parts of nodes that are filled in when their turn comes. */
const filled = ['text', 'media', 'template', 'quickReplies', 'input', 'prompt', 'instructions', 'note'] as const;

function pathProblems(flow: Flow, ways: Ways): FlowProblem[] {
  const known = new KnownPaths(flow, ways);
  return nodesOf(flow).flatMap(([name, node]) => {
    const at = `nodes.${name}`;
    const parts = node as { readonly [part: string]: unknown };
    // The input of a trigger is a schema.
    const texts =
      node.type === 'trigger' ? [] : filled.flatMap((part) => templatePaths(parts[part] as Json, `${at}.${part}`));
    const conditions =
      node.type === 'condition'
        ? node.branches.flatMap((branch, i) => comparisonsOf(branch.if, `${at}.branches[${i}].if`))
        : node.type === 'trigger' && node.filter
          ? comparisonsOf(node.filter, `${at}.filter`)
          : [];
    return [
      ...texts.flatMap((text) => unknownPath(known, text.path, name, text.at)),
      ...conditions.flatMap(({ is, at: where }) => [
        ...unknownPath(known, is.field, name, `${where}.field`),
        ...comparisonProblems(is, where),
      ]),
    ];
  });
}

function unknownPath(known: KnownPaths, path: string, node: string, at: string): FlowProblem[] {
  const found = known.findProblem(path, node);
  return found === undefined ? [] : [problem('flow_path_unknown', at, found)];
}

function comparisonProblems({ op, value }: { op: string; value?: unknown }, at: string): FlowProblem[] {
  if (op === 'exists') {
    return value === undefined
      ? []
      : [problem('flow_invalid', `${at}.value`, 'is not needed by `exists`; write {"not": …} for the opposite')];
  }
  if (value === undefined) return [problem('flow_invalid', `${at}.value`, 'is missing')];
  if (op === 'in' && !Array.isArray(value)) return [problem('flow_invalid', `${at}.value`, 'must be a list for `in`')];
  const found = op === 'matches' ? findPatternProblem(value) : undefined;
  return found === undefined ? [] : [problem('flow_pattern_invalid', `${at}.value`, found)];
}

function conversationProblems(flow: Flow): FlowProblem[] {
  if (triggerOf(flow).node.on !== 'schedule') return [];
  return nodesOf(flow).flatMap(([name, node]) =>
    needsConversation(node)
      ? [
          problem(
            'flow_conversation_missing',
            `nodes.${name}`,
            `(${node.type}) needs a conversation, and a flow that starts on a schedule has none; start another flow by sdk.flows.run`,
          ),
        ]
      : [],
  );
}

/** Whether a node does something in the conversation. */
export function needsConversation(node: FlowNode): boolean {
  if (node.type === 'wait') return node.for === 'message.received';
  if (node.type === 'end') return node.close === true;
  if (node.type === 'ai-agent') return node.mode === 'conversation';
  return node.type === 'message' || node.type === 'handover' || node.type === 'assign';
}

function scheduleProblems(flow: Flow): FlowProblem[] {
  const { name, node } = triggerOf(flow);
  const at = `nodes.${name}`;
  if (node.on !== 'schedule') {
    return (['schedule', 'timezone'] as const)
      .filter((part) => node[part] !== undefined)
      .map((part) => problem('flow_schedule_invalid', `${at}.${part}`, `is for \`schedule\`, not for ${node.on}`));
  }
  if (node.schedule === undefined) return [problem('flow_schedule_invalid', `${at}.schedule`, 'is missing')];
  return [
    checkSchedule(node.schedule, `${at}.schedule`),
    node.timezone === undefined ? undefined : checkTimezone(node.timezone, `${at}.timezone`),
  ].flatMap((found) => (found ? [problem('flow_schedule_invalid', found.path, found.message)] : []));
}

function referenceProblems(flow: Flow, around: FlowSurroundings): FlowProblem[] {
  return nodesOf(flow).flatMap(([name, node]) => {
    const at = `nodes.${name}`;
    switch (node.type) {
      case 'custom-flow-node':
        return functionProblems(node, at, around);
      case 'message':
        return missing('template', node.template?.name, around.templates, `${at}.template.name`);
      case 'handover':
      case 'assign':
        return [
          ...missing('workgroup', node.to.workgroup, around.workgroups, `${at}.to.workgroup`),
          ...missing('person', node.to.agent, around.people, `${at}.to.agent`),
        ];
      case 'ai':
      case 'ai-agent':
        return [
          ...(node.type === 'ai-agent' ? missing('AI agent', node.agent, around.agents, `${at}.agent`) : []),
          ...missing('harness', node.harness, around.harnesses, `${at}.harness`),
          ...(node.tools ?? []).flatMap((tool, i) => missing('AI Tool', tool, around.tools, `${at}.tools[${i}]`)),
          ...(node.mcp ?? []).flatMap(({ client }, i) =>
            missing('MCP client', client, around.mcpClients, `${at}.mcp[${i}].client`),
          ),
        ];
      default:
        return [];
    }
  });
}

function functionProblems(
  node: Extract<FlowNode, { type: 'custom-flow-node' }>,
  at: string,
  { functions, otherFunctions = [] }: FlowSurroundings,
): FlowProblem[] {
  if (functions === undefined) return [];
  const found = functions.find(({ name }) => name === node.function);
  if (found === undefined) {
    if (otherFunctions.includes(node.function))
      return [
        problem('flow_reference_missing', `${at}.function`, `names ${node.function}, which is no Custom Flow Node`),
      ];
    const names = functions.map(({ name }) => name);
    return missing('Custom Flow Node', node.function, names, `${at}.function`);
  }
  const { outcomes } = found;
  if (outcomes === undefined) return [];
  return [
    ...outcomes
      .filter((outcome) => !Object.hasOwn(node.outcomes, outcome))
      .map((outcome) =>
        problem('flow_dead_end', `${at}.outcomes`, `has no way for ${outcome}, which ${node.function} may answer`),
      ),
    ...Object.keys(node.outcomes)
      .filter((outcome) => !outcomes.includes(outcome))
      .map((outcome) =>
        problem(
          'flow_reference_missing',
          `${at}.outcomes.${outcome}`,
          `is no outcome of ${node.function}${meant(outcome, outcomes)}`,
        ),
      ),
  ];
}

function missing(
  kind: string,
  name: string | undefined,
  there: readonly string[] | undefined,
  path: string,
): FlowProblem[] {
  if (name === undefined || there === undefined || there.includes(name)) return [];
  return [
    problem('flow_reference_missing', path, `names the ${kind} ${name}, which does not exist${meant(name, there)}`),
  ];
}

function meant(typed: string, names: readonly string[]): string {
  const found = names.find((name) => name.endsWith(`/${typed}`)) ?? nearest(typed, names);
  return found === undefined ? '' : `; did you mean ${found}?`;
}
