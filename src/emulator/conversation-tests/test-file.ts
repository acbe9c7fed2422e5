import { textLiteral, valueLiteral } from './literal.ts';
import { isExpectation, type Step, stepsOf } from './steps.ts';
import { type Happened, refuse } from './what-happened.ts';

const here = 'chat.conversationId';

/** The text of a test file that has the same conversation again. @throws WorkspaceError test_unsavable */
export function testFileOf(name: string, conversationId: string, happened: Happened): string {
  const { customer, channel, events } = happened;
  const as = customer.phone ?? customer.email;
  if (as === null) throw refuse('The customer has neither a phone number nor an e-mail address');
  const who = { as, channel, ...(customer.name !== null && { name: customer.name }) };
  const steps = stepsOf(happened);
  const body = new Body();
  for (const [index, step] of steps.entries()) {
    body.add(step);
    const next = steps[index + 1];
    const isWaiting = !isExpectation(step) && !['say', 'tap', 'advance'].includes(step.type);
    if (isWaiting && next && isExpectation(next)) body.lines.push('await chat.settled();');
  }
  return [
    `// Saved from the conversation ${conversationId}.`,
    ...(body.asserts ? ["import assert from 'node:assert/strict';"] : []),
    "import { test } from 'node:test';",
    ...(body.compares ? ["import { isDeepStrictEqual } from 'node:util';"] : []),
    "import { aWorkspace } from 'convo-fn/testing';",
    '',
    `test(${textLiteral(name)}, async () => {`,
    `  await using workspace = await aWorkspace({ now: ${textLiteral(events[0]?.timestamp ?? '')} });`,
    `  const chat = workspace.chat(${valueLiteral(who)});`,
    ...body.lines.map((line) => (line === '' ? '' : `  ${line}`)),
    '});',
    '',
  ].join('\n');
}

/** The statements of a test. */
class Body {
  readonly lines: string[] = [];
  asserts = false;
  compares = false;
  #names = 0;

  add(step: Step): void {
    switch (step.type) {
      case 'say':
        return this.#act(`await chat.say(${textLiteral(step.text)});`);
      case 'tap':
        return this.#act(`await chat.say({ quickReply: ${textLiteral(step.quickReplyId)} });`);
      case 'advance':
        return this.#act(`await chat.advance('${durationText(step.ms)}');`);
      case 'send':
        return this.#call('messages.send', `conversationId: ${here}, text: ${textLiteral(step.text)}`);
      case 'pause':
        return this.#call('conversations.pauseAi', `id: ${here}`);
      case 'resume':
        return this.#call('conversations.resumeAi', `id: ${here}, answer: ${step.answer}`);
      case 'close':
        return this.#call('conversations.close', `id: ${here}`);
      case 'reopen':
        return this.#call('conversations.reopen', `id: ${here}`);
      case 'assign':
        return this.#assign(step.to);
      case 'answer':
        return this.#answer(step);
      case 'expectMessage':
        return this.#line(`await chat.expect.message(${textLiteral(step.text)});`);
      case 'expectTool': {
        const args = step.arguments === undefined ? '' : `, ${valueLiteral(step.arguments)}`;
        return this.#line(`await chat.expect.tool(${textLiteral(step.name)}${args});`);
      }
      case 'expectPath':
        return this.#line(`await chat.expect.path(${step.nodes.map(textLiteral).join(', ')});`);
      case 'expectTemplate':
        return this.#assert(
          `(await workspace.call('messages.list', { conversationId: ${here}, order: 'desc', limit: 20 }))`,
          (answer) => `ok(${answer}.items.some(({ template }) => template?.name === ${textLiteral(step.name)}))`,
        );
      case 'expectPaused':
        return this.#assert(
          `(await workspace.call('conversations.get', { id: ${here} }))`,
          (answer) => `equal(${answer}.ai.state, 'paused')`,
        );
    }
  }

  #line(line: string): void {
    this.lines.push(line);
  }

  /** What somebody does stands apart from what came of the thing before. */
  #act(...lines: string[]): void {
    this.lines.push('', ...lines);
  }

  #call(operation: string, input: string): void {
    this.#act(`await workspace.call('${operation}', { ${input} });`);
  }

  #assert(answer: string, condition: (answer: string) => string): void {
    this.asserts = true;
    this.#line(`assert.${condition(answer)};`);
  }

  #assign(to: (Step & { type: 'assign' })['to']): void {
    if (to === null) return this.#call('conversations.assign', `id: ${here}, assign: null`);
    if ('email' in to) {
      return this.#call('conversations.assign', `id: ${here}, assign: { agentEmail: ${textLiteral(to.email)} }`);
    }
    const groups = this.#newName('groups');
    this.#act(
      `const ${groups} = (await workspace.call('workgroups.list', {})).items;`,
      `const ${groups}Id = ${groups}.find(({ name }) => name === ${textLiteral(to.workgroup)})?.id;`,
      `await workspace.call('conversations.assign', { id: ${here}, assign: { workgroupId: ${groups}Id } });`,
    );
  }

  /** Calls may be asked for at once, in an order that differs: the arguments tell them apart. Of the same ones it is the oldest. */
  #answer({ tool, asked, answer, reason, arguments: changed }: Step & { type: 'answer' }): void {
    const open = this.#newName('open');
    const options = {
      ...(reason !== null && { reason }),
      ...(changed !== undefined && { arguments: changed }),
    };
    const more = Object.keys(options).length === 0 ? '' : `, ${valueLiteral(options)}`;
    const isOfTool = `by === 'human' && tool === ${textLiteral(tool)}`;
    const find =
      asked === undefined
        ? `({ by, tool }) => ${isOfTool}`
        : `({ by, tool, arguments: given }) => ${isOfTool} && isDeepStrictEqual({ ...given, ...${valueLiteral(asked)} }, given)`;
    this.asserts = true;
    if (asked !== undefined) this.compares = true;
    this.#act(
      `const ${open} = await workspace.call('confirmations.list', { conversationId: ${here}, open: true, limit: 200 });`,
      `const ${open}Id = ${open}.items.findLast(${find})?.id;`,
      `assert.ok(${open}Id, ${textLiteral(`No call of ${tool} waits for a person`)});`,
      `await workspace.answerConfirmation(${open}Id, '${answer}'${more});`,
    );
  }

  /** Names of variables are used once. */
  #newName(name: string): string {
    this.#names++;
    return this.#names === 1 ? name : `${name}${this.#names}`;
  }
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** As `chat.advance` reads it: `3h`, `90m`, `75s`. */
function durationText(ms: number): string {
  if (ms % hourMs === 0) return `${ms / hourMs}h`;
  if (ms % minuteMs === 0) return `${ms / minuteMs}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}
