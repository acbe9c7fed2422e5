import type { Io } from '../io.ts';
import { isInForeground } from './foreground.ts';

/** Ctrl-C, Ctrl-D and Ctrl-Z in raw mode, where the terminal sends no signals. */
const controls = { '\u0003': 'interrupt', '\u0004': 'end', '\u001a': 'suspend' } as const;
type Control = (typeof controls)[keyof typeof controls];

/** How often a background process checks whether it is in the foreground again: not every shell signals that. */
const lookEveryMs = 500;

/**
 * Reads single keys from a terminal.
 * @param does what each key does; others are ignored
 * @returns stops reading and restores the terminal
 */
export function readKeys(does: Readonly<Record<string, () => void>>, onEndOfInput: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  let waiting: NodeJS.Timeout | undefined;

  /** Takes over the terminal; in the background, waits until it may. */
  const take = () => {
    clearTimeout(waiting);
    if (isInForeground()) {
      stdin.setRawMode(true);
      stdin.resume();
      return;
    }
    stdin.pause();
    waiting = setTimeout(take, lookEveryMs);
    waiting.unref();
  };
  const suspend = () => {
    if (process.platform === 'win32') return;
    stdin.setRawMode(false);
    process.kill(process.pid, 'SIGTSTP');
  };
  const control: Record<Control, () => void> = {
    interrupt: () => process.kill(process.pid, 'SIGINT'),
    end: onEndOfInput,
    suspend,
  };
  const onData = (chunk: Buffer) => {
    for (const key of keysIn(chunk.toString(), Object.keys(does))) (does[key] ?? control[key as Control])?.();
  };
  process.on('SIGCONT', take);
  stdin.on('data', onData);
  take();
  return () => {
    clearTimeout(waiting);
    process.off('SIGCONT', take);
    stdin.off('data', onData);
    // In the background the terminal belongs to another process, and was not changed.
    if (isInForeground()) stdin.setRawMode(false);
    stdin.pause();
  };
}

/**
 * The keys that were pressed. Arrows, Alt combinations and pasted text are ignored, whatever letters they contain.
 * @param known letters
 * @returns letters, and `interrupt`, `end`, `suspend`
 */
export function keysIn(chunk: string, known: readonly string[]): string[] {
  if (chunk.startsWith('\u001b')) return [];
  const chars = [...chunk];
  const pressed = chars.flatMap((char) =>
    char in controls ? [controls[char as keyof typeof controls]] : known.includes(char) ? [char] : [],
  );
  // A key that is held down arrives as several equal characters.
  return new Set(chars).size > 1 ? pressed.filter((key) => !known.includes(key)) : pressed;
}

export function clearScreen(io: Io): void {
  if (io.errIsTerminal) process.stderr.write('\u001b[2J\u001b[3J\u001b[H');
}
