/** One event of a stream (`text/event-stream`). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** Its cursor; undefined for a frame that is not kept. */
  readonly id: string | undefined;
}

/** Cuts the text of an event stream into events, however it arrives. The stream is our own server's: lines end in `\n`. */
export class ServerEventReader {
  #rest = '';

  /** The events that are complete with this text. */
  read(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

function eventOf(block: string): ServerEvent | undefined {
  let type = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    // Also a heartbeat, which begins with the colon.
    if (colon <= 0) continue;
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    const field = line.slice(0, colon);
    if (field === 'event') type = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { type, id, data: data.join('\n') };
}
