/** One event of a stream (`text/event-stream`). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** Cursor to continue after; empty when the server gave none. */
  readonly id: string;
}

const mostEventBytes = 4 * 1024 * 1024;

/** Cuts a stream of bytes into events. @throws RangeError when one is larger than 4 MiB; and what the stream throws */
export async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let type = '';
  let data: string[] = [];
  let id = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > mostEventBytes) throw new RangeError('an event of the stream is too large');
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { type: type === '' ? 'message' : type, data: data.join('\n'), id };
        type = '';
        data = [];
        continue;
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
      if (field === 'event') type = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
    }
  }
}
