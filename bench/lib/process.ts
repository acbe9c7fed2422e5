import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** How one finished command went. */
export interface Run {
  readonly wallMs: number;
  /** Of the largest process; MiB. */
  readonly peakMib: number;
  readonly code: number | null;
  readonly output: string;
}

export interface Command {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** Runs a command to its end, as a whole process. */
export async function run({ argv, cwd, env }: Command): Promise<Run> {
  const [program = '', ...args] = argv;
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let peakKib = 0;
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const watch = setInterval(() => {
    peakKib = Math.max(peakKib, peakOf(child.pid));
  }, 2);
  const [code] = await once(child, 'close');
  clearInterval(watch);
  return { wallMs: performance.now() - startedAt, peakMib: peakKib / 1024, code, output };
}

function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** A server under measurement, in a process group of its own. */
export class Server {
  readonly child: ChildProcess;
  readonly startedAt = performance.now();
  output = '';

  constructor({ argv, cwd, env }: Command) {
    const [program = '', ...args] = argv;
    this.child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output = (this.output + chunk).slice(-4000);
      });
    }
  }

  /** Memory of the process and everything below it, in MiB. PSS divides shared pages, RSS counts them in each process. */
  memory(): { rss: number; pss: number } {
    const sum = { rss: 0, pss: 0 };
    for (const pid of processTree(this.child.pid ?? 0)) {
      try {
        const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
        sum.rss += Number(/^Rss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
        sum.pss += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
      } catch {
        // It ended meanwhile.
      }
    }
    return sum;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const late = setTimeout(() => process.kill(-(this.child.pid ?? 0), 'SIGKILL'), 3000);
    await gone;
    clearTimeout(late);
  }
}

export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // It ended meanwhile.
    }
  }
  const tree: number[] = [];
  const walk = (pid: number) => {
    tree.push(pid);
    for (const child of children.get(pid) ?? []) walk(child);
  };
  walk(root);
  return tree;
}
