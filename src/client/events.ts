import { TransportFailure } from './transport.ts';

/** One event of a stream (`text/event-stream`). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** Cursor to continue after; empty when the server gave none. */
  readonly id: string;
}

const maxEventBytes = 4 * 1024 * 1024;
/** An id that can be sent back as a header. */
const usableId = /^[\x21-\x7e]{1,1000}$/;

/** Cuts a stream of bytes into events. @throws TransportFailure when one is larger than 4 MiB; and what the stream throws */
export async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let type = '';
  let data: string[] = [];
  let dataBytes = 0;
  let id = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > maxEventBytes) throw tooLarge();
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { type: type === '' ? 'message' : type, data: data.join('\n'), id };
        type = '';
        data = [];
        dataBytes = 0;
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
      if (field === 'event') type = value;
      else if (field === 'data') {
        // An empty data line counts as a line, too.
        dataBytes += value.length + 1;
        if (dataBytes > maxEventBytes) throw tooLarge();
        data.push(value);
      } else if (field === 'id' && (value === '' || usableId.test(value))) id = value;
    }
  }
}

const tooLarge = () =>
  new TransportFailure('answer_too_large', `an event of the stream is larger than ${maxEventBytes} bytes`, true);
