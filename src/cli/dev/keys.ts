import type { Io } from '../io.ts';

export type Key = 'o' | 'i' | 'r' | 'c' | 'q' | '?';

const known = new Set<string>(['o', 'i', 'r', 'c', 'q', '?']);

/**
 * Single keys on a terminal. Ctrl-C and Ctrl-Z arrive as signals still. @returns ends it and gives the terminal back
 */
export function readKeys(onKey: (key: Key) => void, onInterrupt: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onData = (chunk: Buffer) => {
    for (const char of chunk.toString()) {
      if (char === '\u0003' || char === '\u0004') onInterrupt();
      else if (known.has(char)) onKey(char as Key);
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

export function clearScreen(io: Io): void {
  if (io.errIsTerminal) process.stderr.write('\u001b[2J\u001b[3J\u001b[H');
}
