/**
 * Checks the arguments of `sdk.view` and `sdk.ui`: each check returns its argument, or throws if the call would have no effect. Sent
 * as text into the frame of a Custom View, so it may use only the browser.
 */
export function viewArguments() {
  const events = ['context', 'dispose'];
  const kinds = ['info', 'success', 'error'];

  function shown(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'function') return 'a function';
    return typeof value === 'object' && value !== null ? 'an object' : String(value);
  }

  function refuse(member: string, rule: string, value: unknown): never {
    throw new TypeError(`sdk.${member}: ${rule}, not ${shown(value)}`);
  }

  return {
    event(name: unknown): string {
      if (typeof name === 'string' && events.includes(name)) return name;
      return refuse('view.on', `the event must be one of ${events.join(', ')}`, name);
    },
    listener(value: unknown): (value: unknown) => unknown {
      if (typeof value === 'function') return value as (value: unknown) => unknown;
      return refuse('view.on', 'the listener must be a function', value);
    },
    height(value: unknown): number | undefined {
      if (value === undefined || value === null) return undefined;
      if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
      return refuse('view.resize', 'the height must be a number of pixels', value);
    },
    kind(value: unknown): string {
      if (typeof value === 'string' && kinds.includes(value)) return value;
      return refuse('ui.toast', `kind must be one of ${kinds.join(', ')}`, value);
    },
    conversationId(value: unknown): string {
      if (typeof value === 'string' && value !== '') return value;
      return refuse('ui.openConversation', 'the id of a conversation must be given', value);
    },
  };
}
