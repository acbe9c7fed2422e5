import type { EmulatorEvent } from '../events.ts';
import type { MachineParts } from '../handlers/index.ts';
import type { LogStream } from '../invoke/log-stream.ts';
import type { LiveFrames } from '../live-frames.ts';
import type { RunDoors } from '../runs/run-doors.ts';
import type { RunFeed } from '../runs/run-feed.ts';
import type { EventStreams } from './event-stream.ts';
import type { SentFrames } from './sent-frames.ts';
import type { Sessions } from './sessions.ts';

/** Dependencies of the HTTP face. */
export interface HttpParts extends MachineParts {
  readonly logStream: LogStream;
  readonly liveFrames: LiveFrames;
  readonly runFeed: RunFeed;
  readonly runDoors: RunDoors;
  readonly stateDir?: string;
  /** The file of the local token, if commands are not run in the folder of an app that has it. */
  readonly tokenFile?: string;
  /** The folder of the app in development. */
  readonly appFolder?: string;
  readonly emit: (event: EmulatorEvent) => void;
  readonly streams: EventStreams;
  readonly sentFrames: SentFrames;
  readonly sessions: Sessions;
}
