import { type Environment, messageOf } from '../../std/index.ts';

/** Reached directly whatever proxy is named: what listens at a proxy's own loopback address is another program. */
const thisMachine = 'localhost,.localhost,127.0.0.1,[::1]';

let isChosen = false;

/**
 * The host's own `fetch` goes the way that this machine's programs go: through the proxy that `HTTPS_PROXY` or `HTTP_PROXY` names. Called
 * before a request: hardly a machine has one, and where there is none nothing is loaded.
 * @throws Error at every request: a way around a proxy that was named would be a surprise
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
