import { type Environment, messageOf } from '../../../std/index.ts';

/** Always reached directly: a proxy's own loopback address would be a different program. */
const thisMachine = 'localhost,.localhost,127.0.0.1,[::1]';

let isChosen = false;

/**
 * Makes the host's `fetch` use the proxy that `HTTPS_PROXY` or `HTTP_PROXY` names, like other programs of this machine. Called before
 * a request: few machines have a proxy, and without one nothing is loaded.
 * @throws Error at every request if the proxy is invalid: silently bypassing it would be a surprise
 */
export function chooseWayOut(env: Environment = process.env): void {
  if (isChosen) return;
  const [HTTP_PROXY, HTTPS_PROXY, NO_PROXY] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()],
  );
  if (HTTP_PROXY || HTTPS_PROXY) {
    const direct = [NO_PROXY, thisMachine].filter(Boolean).join(',');
    try {
      process.getBuiltinModule('node:http').setGlobalProxyFromEnv({
        ...(HTTP_PROXY && { HTTP_PROXY }),
        ...(HTTPS_PROXY && { HTTPS_PROXY }),
        NO_PROXY: direct,
      });
    } catch (error) {
      throw new Error(`HTTPS_PROXY or HTTP_PROXY is not a usable proxy address: ${messageOf(error)}`);
    }
  }
  isChosen = true;
}
