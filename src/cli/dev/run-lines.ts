import type { AgentRun, FlowRun } from '../../dev/index.ts';
import { shortened } from '../../std/index.ts';
import type { Io } from '../io.ts';
import { callsText, counted, tokensText } from '../terminal/run-use.ts';
import { inLine } from '../terminal/sanitise.ts';

const maxQuestions = 5;
const maxQuestionCharacters = 200;

/** What `fn dev` says of a run: the line behind the time of day, and what stands below it. */
export interface RunLines {
  readonly label: string;
  readonly text: string;
  readonly below: readonly string[];
}

/** A run of a flow that waits or has ended. */
export function flowRunLines(run: FlowRun, { errStyle: style }: Io): RunLines {
  const { id, flow, status, node, waitingFor, stepCount, error, reason } = run;
  const [state, more] =
    status === 'completed'
      ? [style.green('completed'), counted(stepCount, 'step')]
      : status === 'failed'
        ? [style.red('failed'), `at ${node}`]
        : status === 'cancelled'
          ? [style.yellow('cancelled'), reason ?? '']
          : [
              style.yellow('waits'),
              `${waitingFor?.type === 'time' ? `until ${waitingFor.until}` : 'for a message'} at ${node}`,
            ];
  return {
    label: style.dim('flow'),
    text: `${inLine(flow)} ${state} ${style.dim(inLine(more))}`,
    below: error ? [inLine(`${error.code}: ${error.message}`), `${style.cyan('→')} fn trace ${id}`] : [],
  };
}

/** A run of an AI agent that waits or has ended. */
export function agentRunLines(run: AgentRun, { errStyle: style }: Io): RunLines {
  const { id, agent, status, usage, error } = run;
  const paint =
    status === 'failed' ? style.red : status === 'completed' || status === 'handedOver' ? style.green : style.yellow;
  const words = { handedOver: 'handed over', waiting: 'waits' } as Readonly<Record<string, string>>;
  return {
    label: style.dim('agent'),
    text: `${inLine(agent ?? 'of a flow')} ${paint(words[status] ?? status)} ${style.dim(`${callsText(usage)}, ${tokensText(usage)}, ${usage.seconds} s`)}`,
    below: [
      ...(error ? [inLine(`${error.code}: ${error.message}`), `${style.cyan('→')} fn agent-run show ${id}`] : []),
      ...questionLines(run, style),
    ],
  };
}

/** Questions of the agent itself; that a call waits for somebody is told by its confirmation. Its words are quoted: they are not ours. */
function questionLines({ id, waitingFor }: AgentRun, style: Io['errStyle']): string[] {
  const questions = waitingFor.filter(({ kind }) => kind === 'agent');
  const answer = `fn agent-run answer ${id}${questions.length > 1 ? ' --question ID' : ''} -d JSON`;
  const asked = questions.slice(0, maxQuestions).map((question) => {
    const words = shortened(inLine(question.message ?? question.id), maxQuestionCharacters);
    return questions.length > 1 ? `asks ${shortened(inLine(question.id), 60)}: “${words}”` : `asks: “${words}”`;
  });
  return questions.length === 0 ? [] : [...asked, `${style.cyan('→')} ${answer}`];
}
