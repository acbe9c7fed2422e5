import type { Client, ServerEvent } from '../../client/index.ts';
import { FnError, isRecord } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { followStream } from '../workspaces/follow-stream.ts';
import { act, type Message, openQuickReplies, type Side } from './conversation.ts';
import { eventLine, messageLines, type Names, readNames, shownKinds } from './lines.ts';
import { customerHelp, deskHelp, type ReadLine, readLine } from './read-line.ts';
import { ChatScreen } from './screen.ts';

const maxShownBefore = 12;

/** A chat on a terminal, until its end. */
export async function chatOnTerminal(
  context: Context,
  door: Client,
  side: Side,
  conversationId: string | undefined,
): Promise<void> {
  const names = await readNames(door, side);
  await new Chat(context, door, side, names, conversationId).run();
}

class Chat {
  readonly #context: Context;
  readonly #door: Client;
  readonly #side: Side;
  readonly #names: Names;
  #conversationId: string | undefined;
  #quickReplies: Message['quickReplies'] = [];
  /** What is said is said in order; events wait for it, because only then it is known in which conversation. */
  #saying: Promise<void> = Promise.resolve();
  readonly #end = new AbortController();
  readonly #screen: ChatScreen;

  constructor(context: Context, door: Client, side: Side, names: Names, conversationId: string | undefined) {
    this.#context = context;
    this.#door = door;
    this.#side = side;
    this.#names = names;
    this.#conversationId = conversationId;
    this.#screen = new ChatScreen(
      '› ',
      (line) => this.#take(line),
      () => this.#end.abort(),
    );
  }

  async run(): Promise<void> {
    const { signal } = this.#context;
    const stop = () => this.#end.abort();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#showBefore();
      await followStream(this.#context, this.#door, {
        operation: 'events.stream',
        input: { type: shownKinds, live: 'draft,run' },
        stop: this.#end.signal,
        onOpen: () => this.#screen.begin(),
        show: (event) => this.#show(event),
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.#screen.close();
    }
  }

  async #showBefore(): Promise<void> {
    const { style } = this.#context.io;
    const side = this.#side;
    const who = side.type === 'customer' ? `You are the customer ${side.who}` : `You are ${side.person.name}`;
    this.#screen.print(style.dim(`${who}. /help shows what you can type; Ctrl-D ends.`));
    if (this.#conversationId === undefined) return;
    const { items } = await this.#door('messages.list', {
      conversationId: this.#conversationId,
      order: 'desc',
      limit: maxShownBefore,
    });
    for (const message of items.reverse()) this.#screen.print(messageLines(message, this.#names, style));
    this.#quickReplies = await openQuickReplies(this.#door, this.#conversationId);
  }

  #take(line: string): void {
    const read = readLine(this.#side.type, line, this.#quickReplies);
    this.#saying = this.#saying.then(() => this.#do(read, line));
  }

  async #do(read: ReadLine, line: string): Promise<void> {
    const { style } = this.#context.io;
    if (read.type !== 'act') return this.#answer(read);
    try {
      ({ conversationId: this.#conversationId } = await act(this.#door, this.#side, this.#conversationId, read.act));
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      const hint = error.hint === undefined ? '' : `\n${error.hint}`;
      this.#screen.print(`${line}\n${style.red(`not done: ${error.message}`)}${style.dim(hint)}`);
    }
  }

  #answer(read: Exclude<ReadLine, { type: 'act' }>): void {
    const { style } = this.#context.io;
    if (read.type === 'quit') this.#end.abort();
    else if (read.type === 'wrong') this.#screen.print(style.yellow(read.why));
    else if (read.type === 'help') {
      const help = this.#side.type === 'desk' ? deskHelp : customerHelp;
      this.#screen.print(help.map(([name, does]) => style.dim(`${name.padEnd(24)}${does}`)).join('\n'));
    }
  }

  async #show({ data }: ServerEvent): Promise<void> {
    await this.#saying;
    const event: unknown = JSON.parse(data);
    if (!isRecord(event) || this.#conversationId === undefined) return;
    const { style } = this.#context.io;
    // A frame of what is going on right now is not wrapped in an event.
    if (typeof event['type'] !== 'string') return this.#showFrame(event);
    if (event['conversationId'] !== this.#conversationId || !isRecord(event['data'])) return;
    const message = event['data']['message'] as Message | undefined;
    if (message !== undefined) {
      this.#quickReplies = message.direction === 'out' ? message.quickReplies : [];
      if (message.author.type === 'aiAgent') this.#screen.draft('', style.dim);
      this.#screen.print(messageLines(message, this.#names, style));
      return;
    }
    const text = eventLine({ type: event['type'], data: event['data'] }, this.#side, this.#names);
    if (text !== undefined) this.#screen.print(style.dim(text));
  }

  #showFrame(frame: Readonly<Record<string, unknown>>): void {
    if (frame['conversationId'] !== this.#conversationId) return;
    const { dim } = this.#context.io.style;
    if (typeof frame['text'] === 'string') this.#screen.draft(`… ${frame['text']}`, dim);
    else if (frame['status'] !== 'running') this.#screen.draft('', dim);
  }
}
