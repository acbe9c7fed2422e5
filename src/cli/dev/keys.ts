import type { Io } from '../io.ts';

export type Key = 'o' | 'i' | 'r' | 'c' | 'q' | '?';

const known = new Set<string>(['o', 'i', 'r', 'c', 'q', '?']);

/**
 * Single keys on a terminal. A terminal that gives single keys makes no signals: Ctrl-C and Ctrl-Z become what they are
 * elsewhere. @returns ends it and gives the terminal back
 */
export function readKeys(onKey: (key: Key) => void, onEndOfInput: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onData = (chunk: Buffer) => {
    for (const char of chunk.toString()) {
      if (char === '\u0003') process.kill(process.pid, 'SIGINT');
      else if (char === '\u0004') onEndOfInput();
      else if (char === '\u001a') pause();
      else if (known.has(char)) onKey(char as Key);
    }
  };
  const pause = () => {
    if (process.platform === 'win32') return;
    stdin.setRawMode(false);
    process.once('SIGCONT', goOn);
    process.kill(process.pid, 'SIGTSTP');
  };
  const goOn = () => stdin.setRawMode(true);
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    process.off('SIGCONT', goOn);
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

export function clearScreen(io: Io): void {
  if (io.errIsTerminal) process.stderr.write('\u001b[2J\u001b[3J\u001b[H');
}
