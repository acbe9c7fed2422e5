import type { Output } from '../../contract/index.ts';
import type { JournalEvent } from '../types.ts';

/** Version of the envelope. */
const apiVersion = '2026-11-01';

/** The event as the API shows it and as it is delivered. */
export function envelopeOf(event: JournalEvent, slug: string): Output<'events.show'> {
  const { seq: _, operation: __, invocationId: ___, depth: ____, ...shown } = event;
  const { id, type, timestamp, ...rest } = shown;
  return { id, type, timestamp, apiVersion, workspace: slug, environment: 'local', ...rest };
}
