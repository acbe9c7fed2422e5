import type { Duplex } from 'node:stream';

/** Fields that may be long. */
const longTexts = ['json', 'argument', 'code', 'map'] as const;
/**
 * Longer texts are attached instead of put into the head: escaping a text costs several times as much as copying it. One with lone
 * surrogates, which UTF-8 cannot express, is escaped.
 */
const longText = 4_096;
const prefixBytes = 8;
/** No message is this long; a prefix that says so is broken. */
const mostFrameBytes = 512 * 1024 * 1024;

type Field = (typeof longTexts)[number] | 'bytes';
const fields: ReadonlySet<unknown> = new Set<Field>(['bytes', ...longTexts]);
/** [index of the message, its field, length in bytes] */
type Attached = [number, Field, number];
/** Head of a frame with attachments. */
interface Head<Message> {
  messages: Message[];
  attached: Attached[];
}

/** The fields of a message that may be long. */
interface Parcel {
  readonly json?: string | undefined;
  readonly argument?: string | undefined;
  readonly code?: string | undefined;
  readonly map?: string | undefined;
  readonly bytes?: Uint8Array | undefined;
}

/**
 * A pipe between parent and child, in both directions. A frame consists of its length and the length of its head, two little-endian 32-bit
 * numbers; the head, a JSON array of messages; and their attachments: bytes, and long texts in UTF-8.
 *
 * All messages of one turn of the event loop are sent as one frame: a write costs some 10 µs, with ten messages hardly more.
 */
export class Channel<Out extends object, In extends object> {
  readonly #pipe: Duplex;
  readonly #hear: (messages: In[]) => void;
  #waiting: Out[] = [];
  #parts: Buffer[] = [];
  #partBytes = 0;
  /** Total bytes of the incoming frame; 0 until its prefix has arrived. */
  #frameBytes = 0;
  #draining: Promise<void> | undefined;

  /** @param broken called when the input is not a frame; nothing is read after that */
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

  /** Resolves when the other side has read what was written; undefined while it keeps up. */
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
    // Not from Node's pool: its 8 KiB blocks, each shared by fifty frames, would grow old and stay until a full garbage collection, which hardly
    // ever happens in a child. That is 150 bytes per invocation.
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

  /** Collects a frame that arrives in parts. @returns the beginning of the next frame */
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
      // Not a Buffer: callers expect `slice` to copy.
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

/** @returns the message without its attachments; undefined if it has none */
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
    if (text === undefined || text.length < longText || !text.isWellFormed()) continue;
    attach(field, Buffer.from(text, 'utf8'));
    slim = { ...(slim ?? message), [field]: undefined };
  }
  return slim;
}
