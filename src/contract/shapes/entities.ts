import type { z } from 'zod';
import { Event } from './events.ts';
import { Deployment, Invocation, InvokeResult, LiveFunction, LogLine } from './functions.ts';
import { Agent, Assignment, Channel, Conversation, Customer, Message, Workgroup } from './people.ts';
import { seed } from './seed.ts';
import {
  SentTemplate,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  templateVariables,
} from './templates.ts';

/** Answer shapes that have a name of their own in the types, the reference and the OpenAPI document. */
export const entities = {
  Customer,
  Conversation,
  Assignment,
  Message,
  Agent,
  Workgroup,
  Channel,
  Template,
  TemplateHeader,
  TemplateButton,
  TemplateCard,
  SentTemplate,
  Invocation,
  LogLine,
  InvokeResult,
  LiveFunction,
  Deployment,
  Event,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Input shapes that have a name of their own. */
export const inputEntities = {
  TemplateVariables: templateVariables,
  Seed: seed,
} as const satisfies Readonly<Record<string, z.ZodType>>;
