import type { frameHeight } from './frame-height.ts';
import type { emptied } from './prelude/emptied.ts';
import type { SdkTable } from './table.ts';
import type { Thrown } from './thrown.ts';
import type { viewArguments } from './view-arguments.ts';

/** The message with which the page around a view hands the channel to its frame. */
export interface ViewStart {
  readonly context: Readonly<Record<string, unknown>>;
  /** How far the workspace's clock runs ahead of the machine's. */
  readonly clockOffsetMs?: number;
  readonly user: unknown;
  readonly conversation: unknown;
  readonly customer: unknown;
}

/** Messages from the frame to the page around it. */
export type FromView =
  | { readonly type: 'call'; readonly id: number; readonly operation: string; readonly input: unknown }
  | {
      readonly type: 'ui';
      readonly id: number;
      readonly verb: 'toast' | 'openConversation' | 'confirm';
      readonly input: unknown;
      /** The kind of a toast: info, success or error. */
      readonly kind?: string;
    }
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'running' }
  /** The view has received `dispose`. */
  | { readonly type: 'closing' }
  /** The view has cleaned up after `dispose`; its frame can be removed. */
  | { readonly type: 'disposed' }
  | ({ readonly type: 'error' } & Thrown)
  /** The browser refused something that the frame's content security policy does not allow. */
  | { readonly type: 'blocked'; readonly directive: string; readonly address: string; readonly place: string };

/** Messages from the page to the frame. */
export type ToView =
  | ({ readonly type: 'start' } & ViewStart)
  | ({ readonly type: 'context' } & Omit<ViewStart, 'context' | 'user'>)
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly ok?: unknown;
      readonly error?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'dispose' };

// The part of the browser API that the frame uses: the project is type-checked without DOM types.
interface Port {
  postMessage(message: FromView): void;
  onmessage: ((event: { data: ToView }) => void) | null;
}
interface Message {
  source: unknown;
  data: { type?: unknown; nonce?: unknown } | null;
  ports: readonly Port[];
}
interface Violation {
  effectiveDirective: string;
  blockedURI: string;
  sourceFile: string;
  lineNumber: number;
  columnNumber: number;
}
interface Frame {
  parent: { postMessage(message: object, origin: string): void };
  location: { origin: string };
  document: {
    getElementById(id: string): Container | null;
    readonly body: unknown;
    readonly activeElement: { focus?(): void } | null;
    documentElement: { clientHeight: number };
  };
  addEventListener(type: string, listener: (event: never) => void): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
  readonly innerHeight: number;
  ResizeObserver?: new (callback: () => void) => { observe(target: unknown): void };
}
interface Container {
  offsetHeight: number;
}
type Program = (register: (namespace: { default?: unknown }) => void) => Promise<void>;

/**
 * Makes the `sdk` object of Custom Views, inside their frame. It is sent as text (`String(clientSdk)`), so it may use only its
 * parameters and the browser. The frame has an origin of its own and no network access to the workspace: every call goes through one
 * channel, which the surrounding page hands over once.
 */
export function clientSdk(
  table: SdkTable,
  frame: Frame,
  thrown: (value: unknown) => Thrown,
  heightOf: typeof frameHeight,
  emptiedIn: typeof emptied,
  check: ReturnType<typeof viewArguments>,
): (nonce: string, program: Program) => void {
  type Any = Record<string, unknown>;
  const { refuseEmptied } = emptiedIn({
    ErrorClass: Error,
    TypeErrorClass: TypeError,
    getPrototypeOf: Object.getPrototypeOf,
    isArray: Array.isArray,
    isView: ArrayBuffer.isView,
    objectPrototype: Object.prototype,
    keys: Object.keys,
    toStringTag: Symbol.toStringTag,
  });
  class SdkError extends Error {
    declare code: string;
    declare status: number;
    override name = 'SdkError';
    /** @param place the stack of the call, kept because it is gone by the time the answer arrives */
    constructor(shape: Any, place: string) {
      super(String(shape['message']));
      // Chromium starts a stack with the error's name, other browsers with the first frame.
      const frames = Math.max(0, place.indexOf('\n    at '));
      this.stack = `SdkError: ${this.message}\n${place.slice(frames).replace(/^\n/, '')}`;
      for (const key of ['code', 'status', 'requestId', 'details']) {
        if (shape[key] !== undefined) (this as unknown as Any)[key] = shape[key];
      }
    }
  }

  let port: Port | undefined;
  let last = 0;
  /** How many questions of `confirm` wait for an answer. */
  let questions = 0;
  const waiting = new Map<number, { place: string; resolve(value: unknown): void; reject(error: unknown): void }>();
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const failed = (error: unknown) => port?.postMessage({ type: 'error', ...thrown(error) });

  function ask(
    message:
      | { type: 'call'; operation: string; input: unknown }
      | { type: 'ui'; verb: 'toast' | 'openConversation' | 'confirm'; input: unknown; kind?: string },
  ) {
    const place = new Error().stack ?? '';
    return new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { place, resolve, reject });
      port?.postMessage({ ...message, id });
    });
  }

  /** The part of an input that survives JSON, as the Server SDK sends it. */
  function asSent(operation: string, input: unknown): unknown {
    try {
      if (typeof input === 'function' || typeof input === 'symbol') throw new TypeError('it is not JSON');
      refuseEmptied(input);
      return JSON.parse(JSON.stringify(input));
    } catch (error) {
      throw new TypeError(`sdk.${operation}: the input cannot be sent: ${(error as Error).message}`);
    }
  }

  function emit(name: string, value: unknown): void {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(value);
      } catch (error) {
        failed(error);
      }
    }
  }

  function makeSdk(start: ViewStart, container: Container | null): Any {
    const resize = container && heightOf(frame, container, (height) => port?.postMessage({ type: 'resize', height }));
    const sdk: Any = {
      context: Object.freeze({ ...start.context, now: () => new Date(Date.now() + clockOffsetMs) }),
      user: start.user,
      conversation: start.conversation,
      customer: start.customer,
      ui: Object.freeze({
        async toast(text: unknown, options?: { kind?: unknown }) {
          const kind = check.kind(options?.kind ?? 'info');
          return await ask({ type: 'ui', verb: 'toast', input: String(text), kind });
        },
        openConversation: async (id: unknown) =>
          await ask({ type: 'ui', verb: 'openConversation', input: check.conversationId(id) }),
        async confirm(text: unknown) {
          const place = frame.document.activeElement;
          questions++;
          const answer = await ask({ type: 'ui', verb: 'confirm', input: String(text) }).finally(() => questions--);
          // The dialog took the focus: return it to the element that had it, for people who use the keyboard. The next question needs it itself.
          if (questions === 0 && frame.document.activeElement === frame.document.body) place?.focus?.();
          return answer;
        },
      }),
      view: Object.freeze({
        container,
        get context() {
          return { conversation: sdk['conversation'], customer: sdk['customer'] };
        },
        on(event: unknown, called: unknown) {
          const name = check.event(event);
          const listener = check.listener(called);
          const all = listeners.get(name) ?? new Set();
          listeners.set(name, all.add(listener));
          return () => all.delete(listener);
        },
        resize(height?: unknown) {
          const wanted = check.height(height);
          resize?.(wanted);
        },
      }),
    };
    for (const [area, verbs] of Object.entries(table)) {
      const members: Any = {};
      for (const verb of verbs)
        members[verb] = async (input: unknown = {}) => {
          const operation = `${area}.${verb}`;
          return await ask({ type: 'call', operation, input: asSent(operation, input) });
        };
      sdk[area] = members;
    }
    const methods = sdk['methods'] as { call(input: unknown): unknown };
    const long = methods.call;
    sdk['methods'] = Object.freeze({
      call: (path: unknown, body?: unknown, options?: object) =>
        long(typeof path === 'string' ? { path, ...(body !== undefined && { body }), ...options } : path),
    });
    return sdk;
  }

  let cleanup: unknown;
  let running: Promise<void> | undefined;
  let isClosing = false;
  let sdk: Any | undefined;
  let clockOffsetMs = 0;

  async function run(start: ViewStart, program: Program): Promise<void> {
    const container = frame.document.getElementById('view');
    clockOffsetMs = start.clockOffsetMs ?? 0;
    sdk = makeSdk(start, container);
    try {
      let main: unknown;
      await program((namespace) => {
        main = namespace.default;
      });
      if (typeof main !== 'function') throw new TypeError('The view exports no default function');
      cleanup = await main(sdk);
      port?.postMessage({ type: 'running' });
    } catch (error) {
      // Nobody waits for a view that is closing: from then on only failures of its cleanup are reported.
      if (!isClosing) failed(error);
    }
  }

  async function attempt(listener: unknown): Promise<void> {
    try {
      if (typeof listener === 'function') await listener();
    } catch (error) {
      failed(error);
    }
  }

  async function dispose(): Promise<void> {
    port?.postMessage({ type: 'closing' });
    // Asked again, it only shows that it still answers.
    if (isClosing) return;
    isClosing = true;
    const told = new Map<unknown, Promise<void>>();
    const tell = () => {
      for (const listener of listeners.get('dispose') ?? [])
        if (!told.has(listener)) told.set(listener, attempt(listener));
    };
    tell();
    // The view may be closed before it has registered its listeners or returned its cleanup function.
    await running;
    tell();
    await Promise.all([...told.values(), attempt(cleanup)]);
    port?.postMessage({ type: 'disposed' });
  }

  function hear(message: ToView, program: Program): void {
    if (message.type === 'start') running = run(message, program);
    else if (message.type === 'answer') {
      const settle = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) settle?.reject(new SdkError(message.error, settle.place));
      else settle?.resolve(message.ok);
    } else if (message.type === 'context') {
      if (!sdk) return;
      clockOffsetMs = message.clockOffsetMs ?? 0;
      sdk['conversation'] = message.conversation;
      sdk['customer'] = message.customer;
      emit('context', { conversation: message.conversation, customer: message.customer });
    } else if (message.type === 'dispose') void dispose();
  }

  return (nonce, program) => {
    const receive = (event: Message) => {
      const { data, ports } = event;
      if (event.source !== frame.parent || data?.type !== 'fn-view-channel' || data.nonce !== nonce || !ports[0])
        return;
      frame.removeEventListener('message', receive as never);
      port = ports[0];
      port.onmessage = (sent) => hear(sent.data, program);
    };
    frame.addEventListener('message', receive as never);
    frame.addEventListener('error', ((event: { error?: unknown; message?: string }) => {
      // Browsers report a notification that ResizeObserver delays by one frame as an error; it is not a failure.
      if (!event.error && event.message?.startsWith('ResizeObserver loop')) return;
      failed(event.error ?? event.message);
    }) as never);
    frame.addEventListener('securitypolicyviolation', ((event: Violation) => {
      const { effectiveDirective: directive, blockedURI: address, sourceFile, lineNumber, columnNumber } = event;
      const place = sourceFile ? `at ${sourceFile}:${lineNumber}:${columnNumber}` : '';
      port?.postMessage({ type: 'blocked', directive, address, place });
    }) as never);
    frame.addEventListener('unhandledrejection', ((event: { reason?: unknown }) => failed(event.reason)) as never);
    // The page's origin as the browser sees it: behind a tunnel it is https, which the server cannot know.
    frame.parent.postMessage({ type: 'fn-view-ready', nonce }, frame.location.origin);
  };
}
