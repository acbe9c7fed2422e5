import { inLine } from '../terminal/sanitise.ts';
import type { Played } from './play.ts';

/** One step as a line for people; undefined for what is told otherwise. */
export function lineOf(played: Played): string | undefined {
  switch (played.type) {
    case 'say':
      return `> ${inLine(played.text)}`;
    case 'allow':
      return `  a person allows it: ${inLine(played.what)}`;
    case 'end':
      return `  ${played.status}`;
    case 'event':
      return lineOfEvent(played.event);
  }
}

function lineOfEvent(event: Extract<Played, { type: 'event' }>['event']): string | undefined {
  switch (event.type) {
    case 'leg.started':
      return `  leg ${event.leg}`;
    case 'message':
      return `  says ${inLine(event.text)}${event.partial ? ' (cut)' : ''}`;
    case 'toolCall.requested':
      return `  calls ${inLine(event.call.name)} ${inLine(event.call.rawArguments ?? JSON.stringify(event.call.arguments))}`;
    case 'toolCall.ended':
      return `  ${event.result.status} ${inLine(event.result.content)}`;
    case 'note':
      return `  notes ${inLine(event.text)}`;
    case 'handover':
      return `  hands over${event.reason === null ? '' : `: ${inLine(event.reason)}`}`;
    case 'state':
      return `  leaves the state ${inLine(JSON.stringify(event.state))}`;
    case 'warning':
      return `  warning ${event.code}: ${inLine(event.message)}`;
    case 'error':
      return `  ${event.code}: ${inLine(event.message)}\n  → ${inLine(event.hint)}`;
    default:
      return undefined;
  }
}
