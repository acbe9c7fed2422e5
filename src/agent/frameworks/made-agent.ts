import { messageOf, shortened } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import type { FrameworkAgent, FrameworkLeg } from './framework-agent.ts';

/** What a function that makes an agent is given. Any framework can make a tool of its own of each. */
interface GivenTool {
  readonly name: string;
  readonly description: string;
  /** Of its arguments, as JSON Schema. */
  readonly schema: object;
  /** Waits until the leg ends, which it does with the call; the next one begins with its result. */
  readonly execute: () => Promise<never>;
}

/** A function of the app that makes an agent. */
export type MakeAgent = (given: { readonly tools: readonly GivenTool[] }) => unknown;

/**
 * An agent that a function of the app makes for each leg, with the tools of the AI agent: the way for frameworks in which an agent keeps the
 * tools that it was made with.
 * @param adapt of what was made @throws RunFailure if it is no agent that is known
 */
export function madeAgent(make: MakeAgent, adapt: (made: unknown) => FrameworkAgent, file: string): FrameworkAgent {
  const makeWith = async (tools: readonly GivenTool[]): Promise<FrameworkAgent> => {
    let made: unknown;
    try {
      made = await make({ tools });
    } catch (cause) {
      const message = `The function that ${file} exports throws: ${shortened(messageOf(cause), 300)}`;
      throw new RunFailure('harness_module_broken', message, { cause });
    }
    return adapt(made);
  };
  return {
    check: async () => void (await makeWith([])),
    async *answer(leg) {
      yield* (await makeWith(toolsFor(leg))).answer(leg);
    },
  };
}

function toolsFor({ input, signal }: FrameworkLeg): GivenTool[] {
  return input.tools.map(({ name, description, input: schema }) => {
    return { name, description, schema, execute: () => waitForEnd(signal) };
  });
}

/** What a framework waits for that would execute one of our tools itself. */
export function waitForEnd(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error('The leg has ended')), { once: true });
  return promise;
}
