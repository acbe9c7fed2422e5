import type { Io } from '../io.ts';
import { isInForeground } from './foreground.ts';

const known = ['o', 'i', 'r', 'c', 'q', '?'] as const;
export type Key = (typeof known)[number];

/** What Ctrl-C, Ctrl-D and Ctrl-Z are where a terminal gives single keys and makes no signals. */
const controls = { '\u0003': 'interrupt', '\u0004': 'end', '\u001a': 'suspend' } as const;
type Control = (typeof controls)[keyof typeof controls];

/** How often a process in the background looks whether it was fetched: not every shell tells it. */
const lookEveryMs = 500;

/**
 * Single keys on a terminal. @returns ends it and gives the terminal back
 */
export function readKeys(onKey: (key: Key) => void, onEndOfInput: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  let waiting: NodeJS.Timeout | undefined;

  /** Takes the terminal, or in the background waits until it may. */
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
    for (const key of keysIn(chunk.toString())) {
      if (isKey(key)) onKey(key);
      else control[key]();
    }
  };
  process.on('SIGCONT', take);
  stdin.on('data', onData);
  take();
  return () => {
    clearTimeout(waiting);
    process.off('SIGCONT', take);
    stdin.off('data', onData);
    // In the background the terminal is somebody else's, and as it was.
    if (isInForeground()) stdin.setRawMode(false);
    stdin.pause();
  };
}

const isKey = (key: Key | Control): key is Key => known.includes(key as Key);

/** The keys that were pressed: arrows, Alt with a key and what was pasted are none of ours, whatever letters they are made of. */
export function keysIn(chunk: string): (Key | Control)[] {
  if (chunk.startsWith('\u001b')) return [];
  const chars = [...chunk];
  const pressed = chars.flatMap((char) =>
    char in controls ? [controls[char as keyof typeof controls]] : isKey(char as Key) ? [char as Key] : [],
  );
  // One key that is held down comes as several of the same.
  return new Set(chars).size > 1 ? pressed.filter((key) => !isKey(key)) : pressed;
}

export function clearScreen(io: Io): void {
  if (io.errIsTerminal) process.stderr.write('\u001b[2J\u001b[3J\u001b[H');
}
