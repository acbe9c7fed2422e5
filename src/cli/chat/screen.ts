import { createInterface, type Interface } from 'node:readline';
import { sanitise, sanitiseStyled } from '../terminal/sanitise.ts';
import { widthOf, wrap, wrapLongLines } from '../terminal/width.ts';

/** A line to type in, with what happens above it: finished lines, and at most one draft that the next one replaces. */
export class ChatScreen {
  readonly #editor: Interface;
  #draftRows = 0;
  #draft = '';
  #isOpen = true;

  constructor(prompt: string, onLine: (line: string) => void, onEnd: () => void) {
    this.#editor = createInterface({ input: process.stdin, output: process.stderr, prompt, terminal: true });
    this.#editor.on('line', (line) => {
      this.#takeAway(prompt, line);
      onLine(line);
    });
    this.#editor.on('SIGINT', () => this.#editor.close());
    this.#editor.on('close', () => {
      this.#isOpen = false;
      onEnd();
    });
  }

  begin(): void {
    this.#editor.prompt();
  }

  /** Text above the line; what is being typed stays. */
  print(text: string): void {
    this.#redraw(`${wrapLongLines(sanitiseStyled(text), columnsOfTerminal())}\n`, this.#draft);
  }

  /** What is being written; an empty text takes it away. @param paint colours it */
  draft(text: string, paint: (text: string) => string): void {
    const rows = sanitise(text) === '' ? [] : wrap(sanitise(text), columnsOfTerminal() - 1).split('\n');
    // The end is what is new; more than this would scroll away from under the cursor.
    const shown = rows.slice(-mostDraftRows);
    this.#redraw('', shown.map((row) => `${paint(row)}\n`).join(''));
  }

  close(): void {
    if (this.#isOpen) this.#editor.close();
  }

  /** A line that was entered is taken off the screen: it comes back as a message when the workspace has it. */
  #takeAway(prompt: string, line: string): void {
    const columns = process.stderr.columns || 80;
    const up = Math.floor(widthOf(prompt + line) / columns) + 1 + this.#draftRows;
    process.stderr.write(`\r\u001b[${up}A\u001b[J`);
    this.#draftRows = 0;
    this.#redraw('', this.#draft);
  }

  #redraw(text: string, draft: string): void {
    const up = this.#editor.getCursorPos().rows + this.#draftRows;
    process.stderr.write(`\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J${text}${draft}`);
    this.#draft = draft;
    this.#draftRows = draft.split('\n').length - 1;
    if (!this.#isOpen) return;
    // The line is written anew where the cursor is now.
    (this.#editor as Interface & { prevRows: number }).prevRows = 0;
    this.#editor.prompt(true);
  }
}

const mostDraftRows = 8;

/** In a window too narrow to read in, lines break where the terminal breaks them. */
const columnsOfTerminal = () => Math.max(21, process.stderr.columns || 80);
