import type { EmulatorEvent } from '../events.ts';
import type { LogStream } from '../log-stream.ts';
import type { MachineParts } from '../machine/index.ts';
import type { EventStreams } from './event-stream.ts';

/** What the HTTP face stands on. */
export interface HttpParts extends MachineParts {
  readonly logStream: LogStream;
  readonly stateDir?: string;
  readonly emit: (event: EmulatorEvent) => void;
  readonly streams: EventStreams;
  /** Where the program stood in the frame of a view that was sent last, by the view's place. */
  readonly programLines: Map<string, number>;
}
