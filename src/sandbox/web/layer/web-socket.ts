/** The class exists so that packages that only check for it can load. It cannot connect. */
export class WebSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  constructor(address?: unknown) {
    throw new TypeError(
      `WebSocket is not available in functions (${String(address)}): use fetch, or a webhook for what comes later`,
    );
  }
}
