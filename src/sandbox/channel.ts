import type { Duplex } from 'node:stream';

/** Texts of a message that may be long: made of JSON, so they hold no lone surrogates outside of what JSON escapes. */
const longTexts = ['json', 'argument'] as const;
/** Longer ones travel beside the head: to escape a text twice costs ten times its copying. */
const longText = 4_096;
const prefixBytes = 8;
/** Nobody has so much to say; whoever announces more is broken. */
const mostFrameBytes = 512 * 1024 * 1024;

type Field = (typeof longTexts)[number] | 'bytes';
const fields: ReadonlySet<unknown> = new Set<Field>(['bytes', ...longTexts]);
/** [index of the message, its field, length in bytes] */
type Attached = [number, Field, number];
/** What a frame's head holds where something is attached. */
interface Head<Message> {
  messages: Message[];
  attached: Attached[];
}

/** What may be long in a message; everything else is small. */
interface Parcel {
  readonly json?: string | undefined;
  readonly argument?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
}

/**
 * One pipe between parent and child, both ways. A frame is: its length and its head's as two 32-bit numbers, little-endian; the head,
 * JSON of an array of messages; and what is attached to them: bytes, and long texts as UTF-8.
 *
 * Whatever is said in one turn of the event loop leaves as one frame: a write costs some 10 µs, ten messages in it hardly more.
 */
export class Channel<Out extends object, In extends object> {
  readonly #pipe: Duplex;
  readonly #hear: (messages: In[]) => void;
  #waiting: Out[] = [];
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** Bytes that the frame under way has altogether; 0 until its prefix is there. */
  #frameBytes = 0;
  #draining: Promise<void> | undefined;

  /** @param broken what came is no frame; nothing is heard after it */
  constructor(pipe: Duplex, hear: (messages: In[]) => void, broken: (why: string) => void) {
    this.#pipe = pipe;
    this.#hear = hear;
    pipe.on('data', (chunk: Buffer) => {
      try {
        this.#receive(chunk);
      } catch (error) {
        pipe.destroy();
        broken(error instanceof Error ? error.message : String(error));
      }
    });
  }

  post(message: Out): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#flush());
  }

  /** Resolves when the other side has taken what was said; undefined while it keeps up. */
  get drained(): Promise<void> | undefined {
    if (!this.#pipe.writableNeedDrain) return undefined;
    this.#draining ??= new Promise((resolve) => {
      const done = () => {
        this.#draining = undefined;
        this.#pipe.off('drain', done).off('close', done);
        resolve();
      };
      this.#pipe.on('drain', done).on('close', done);
    });
    return this.#draining;
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (this.#pipe.destroyed || !this.#pipe.writable) return;
    const attached: Attached[] = [];
    const attachments: Uint8Array[] = [];
    let attachedBytes = 0;
    for (const [index, message] of messages.entries()) {
      const slim = withoutParcels(message, (field, bytes) => {
        attached.push([index, field, bytes.byteLength]);
        attachments.push(bytes);
        attachedBytes += bytes.byteLength;
      });
      if (slim) messages[index] = slim;
    }
    const head = JSON.stringify(attached.length === 0 ? messages : { messages, attached });
    const headBytes = Buffer.byteLength(head);
    // Not of Node's pool: 8 KiB for fifty frames grow old together, and then lie until V8 looks through everything, which it hardly ever
    // does in a child: 150 bytes of each invocation.
    const frame = Buffer.allocUnsafeSlow(prefixBytes + headBytes);
    frame.writeUInt32LE(prefixBytes + headBytes + attachedBytes, 0);
    frame.writeUInt32LE(headBytes, 4);
    frame.write(head, prefixBytes, 'utf8');
    if (attachments.length === 0) {
      this.#pipe.write(frame);
      return;
    }
    this.#pipe.cork();
    this.#pipe.write(frame);
    for (const bytes of attachments) this.#pipe.write(bytes);
    this.#pipe.uncork();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#partBytes === 0 && rest.length >= prefixBytes) {
        const length = frameLength(rest);
        if (rest.length >= length) {
          this.#open(rest.subarray(0, length));
          rest = rest.subarray(length);
          continue;
        }
      }
      rest = this.#keep(rest);
    }
  }

  /** A frame that comes in parts. @returns what belongs to the next one */
  #keep(chunk: Buffer): Buffer {
    const wanted = this.#frameBytes === 0 ? prefixBytes : this.#frameBytes;
    const part = chunk.subarray(0, wanted - this.#partBytes);
    this.#parts.push(part);
    this.#partBytes += part.length;
    if (this.#partBytes === wanted) {
      if (this.#frameBytes === 0) {
        const prefix = Buffer.concat(this.#parts);
        this.#parts = [prefix];
        this.#frameBytes = frameLength(prefix);
      } else {
        const frame = Buffer.concat(this.#parts, this.#partBytes);
        this.#parts = [];
        this.#partBytes = 0;
        this.#frameBytes = 0;
        this.#open(frame);
      }
    }
    return chunk.subarray(part.length);
  }

  #open(frame: Buffer): void {
    const headEnd = prefixBytes + frame.readUInt32LE(4);
    if (headEnd > frame.length) throw new RangeError('a head longer than its frame');
    const head = JSON.parse(frame.toString('utf8', prefixBytes, headEnd)) as In[] | Head<In>;
    if (Array.isArray(head)) {
      this.#hear(head);
      return;
    }
    let at = headEnd;
    for (const [index, field, length] of head.attached) {
      if (!fields.has(field)) throw new RangeError('an attachment that is none');
      if (!(length >= 0) || at + length > frame.length) throw new RangeError('an attachment longer than its frame');
      // No Buffer: whoever slices it expects a copy.
      const value =
        field === 'bytes'
          ? new Uint8Array(frame.buffer, frame.byteOffset + at, length)
          : frame.toString('utf8', at, at + length);
      Object.defineProperty(head.messages[index], field, { value, enumerable: true, configurable: true });
      at += length;
    }
    this.#hear(head.messages);
  }
}

function frameLength(prefix: Buffer): number {
  const length = prefix.readUInt32LE(0);
  if (length < prefixBytes || length > mostFrameBytes) throw new RangeError(`a frame of ${length} bytes`);
  return length;
}

/** @returns the message without what travels beside it; undefined when nothing does */
function withoutParcels<Message extends object & Parcel>(
  message: Message,
  attach: (field: Field, bytes: Uint8Array) => void,
): Message | undefined {
  let slim: Message | undefined;
  if (message.bytes !== undefined) {
    attach('bytes', message.bytes);
    slim = { ...message, bytes: undefined };
  }
  for (const field of longTexts) {
    const text = message[field];
    if (text === undefined || text.length < longText) continue;
    attach(field, Buffer.from(text, 'utf8'));
    slim = { ...(slim ?? message), [field]: undefined };
  }
  return slim;
}
