import type { SdkArgument } from '../argument.ts';
import type { headers } from './headers.ts';
import type { Any, Fn, Kit } from './kit.ts';
import type { StandIn } from './stand-in.ts';

type Given = NonNullable<SdkArgument['request']>;
type HeadersOf = ReturnType<typeof headers>;
type RequestClass = new (url: unknown, init?: object) => Any;

/**
 * `sdk.request`. Waking the platform's Request costs ten times what a small method takes, so this stand-in answers the most common
 * questions (method, url, a header, json(), text()) itself and becomes a real Request for everything else. It passes for a Request
 * everywhere: `instanceof`, `fetch(sdk.request)`, `new Request(sdk.request)`.
 */
export function request({ original, parse, requests, toStringTag }: Kit, standIn: StandIn, headersOf: HeadersOf) {
  /** The request of the running invocation, and what makes it real. */
  let current: object | undefined;
  let wake: () => Any = () => ({});

  /** Called once the web globals exist. */
  function ready(): void {
    requests((value) => (value === current && value !== undefined ? wake() : undefined));
  }

  function requestOf(given: Given, bytes: Uint8Array | undefined): object {
    const { url, method, headers, text } = given;
    const hasBody = method !== 'GET' && method !== 'HEAD' && (text !== undefined || bytes !== undefined);
    let real: Any | undefined;
    let used = false;

    function materialise(): Any {
      if (real) return real;
      const Class = original('Request') as RequestClass;
      real = new Class(url, { method, headers, ...(hasBody && { body: text ?? bytes }) });
      if (used) void (real['arrayBuffer'] as Fn)();
      return real;
    }

    async function read(as: 'text' | 'json'): Promise<unknown> {
      if (real || bytes !== undefined || used) return (materialise()[as] as Fn)();
      used = hasBody;
      const body = hasBody ? (text ?? '') : '';
      return as === 'text' ? body : parse(body);
    }

    const lightHeaders = headersOf(
      headers,
      () => real !== undefined,
      () => materialise()['headers'] as Any,
    );

    /** The properties known without waking the real Request. */
    function known(key: PropertyKey): unknown {
      if (key === 'headers') return lightHeaders;
      if (real) return undefined;
      if (key === 'method') return method;
      if (key === 'url') return url;
      if (key === 'bodyUsed') return used;
      if (key === 'text' || key === 'json') return () => read(key);
      return key === toStringTag ? 'Request' : undefined;
    }

    current = standIn(known, materialise);
    wake = materialise;
    return current;
  }

  return { ready, requestOf };
}
