import { z } from 'zod';
import { Event, eventData } from '../areas/events.shapes.ts';
import { aboutEvents, type EventKind } from '../events.ts';
import { plainSchema } from './json-schema.ts';

/** What a receiver gets for a kind of event, as JSON Schema. Events may gain fields, so it allows more than it names. */
export function eventSchemaOf(kind: EventKind): Record<string, unknown> {
  const shape = Event.extend({ type: z.literal(kind), data: eventData[kind] });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind,
    description: aboutEvents[kind],
    ...plainSchema(shape, 'output'),
  };
}
