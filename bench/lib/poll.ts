import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One keep-alive connection that asks again and again. */
export class Poller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Requests that failed or were answered with 5xx. */
  failed = 0;

  ask(url: string): Promise<{ status: number; text: string } | undefined> {
    return new Promise((resolve) => {
      const fail = () => {
        this.failed++;
        resolve(undefined);
      };
      const request = get(url, { agent: this.#agent, timeout: 15_000 }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', fail);
      });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', fail);
    });
  }

  /** Milliseconds since `since` until an answer satisfies; NaN after half a minute. */
  async until(url: string, satisfies: (text: string) => boolean, since: number, everyMs: number): Promise<number> {
    while (performance.now() - since < 30_000) {
      const answer = await this.ask(url);
      if (answer?.status === 200 && satisfies(answer.text)) return performance.now() - since;
      if (answer && answer.status >= 500) this.failed++;
      await sleep(everyMs);
    }
    return Number.NaN;
  }

  close(): void {
    this.#agent.destroy();
  }
}
