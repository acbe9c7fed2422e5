import { checkEndpointUrl, findSubscriptionProblem, isSubscribed } from '../../contract/index.ts';
import { UsageError } from '../../std/index.ts';

/** Where a listener forwards events to. */
export interface ForwardTarget {
  readonly url: string;
  /** Kinds and groups; undefined: everything that the listener gets. */
  readonly events: readonly string[] | undefined;
}

/**
 * Reads `--forward-to` and `--map`.
 * @throws UsageError forward_target_invalid, event_unknown
 */
export function readTargets(forwardTo: readonly string[], maps: readonly string[]): ForwardTarget[] {
  const targets = [
    ...forwardTo.map((given) => ({ url: readTarget(given, '--forward-to'), events: undefined })),
    ...maps.map(readMap),
  ];
  // Twice the same target would get everything twice.
  const seen = new Set<string>();
  return targets.filter(({ url, events }) => {
    const key = JSON.stringify([url, events ?? null]);
    return !seen.has(key) && seen.add(key);
  });
}

function readMap(given: string): ForwardTarget {
  const at = given.indexOf('=');
  if (at <= 0)
    throw new UsageError('forward_target_invalid', `--map ${given.slice(0, 80)} has no kinds of events and address`, {
      hint: "As in --map 'message.*=http://127.0.0.1:9000/messages'",
    });
  return { url: readTarget(given.slice(at + 1), '--map'), events: readKinds([given.slice(0, at)], '--map') };
}

/**
 * Reads kinds of events, which may be separated by commas.
 * @throws UsageError event_unknown, with the kind that was probably meant
 */
export function readKinds(given: readonly string[], flag: string): string[] {
  const kinds = given.flatMap((text) => text.split(',').map((kind) => kind.trim())).filter((kind) => kind !== '');
  const problem = findSubscriptionProblem(kinds);
  if (problem) throw new UsageError('event_unknown', `${flag}: ${problem.message}`, { hint: problem.hint });
  return kinds;
}

/** The targets of an event. */
export function targetsOf(targets: readonly ForwardTarget[], kind: string): string[] {
  const fitting = targets.filter(({ events }) => events === undefined || isSubscribed(events, kind));
  return [...new Set(fitting.map(({ url }) => url))];
}

/**
 * Any address that this machine can reach, other than that of an endpoint, which the workspace has to reach.
 * `localhost:9000/hook` stands for http.
 */
function readTarget(given: string, flag: string): string {
  const text = /^[\w.-]+:\d{1,5}(?:[/?]|$)/.test(given.trim()) ? `http://${given.trim()}` : given.trim();
  const checked = checkEndpointUrl(text, { allowLoopback: true });
  if ('url' in checked) return checked.url;
  if (checked.code !== 'webhook_url_invalid') return new URL(text).href;
  throw new UsageError('forward_target_invalid', `${flag}: ${checked.message}`, {
    hint: 'As in http://127.0.0.1:9000/webhooks, or localhost:9000/webhooks.',
  });
}
