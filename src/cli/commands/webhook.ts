import { deliveries, resend } from '../webhooks/deliveries.ts';
import { add, list, ping, recover, remove, rotate, show, update } from '../webhooks/endpoints.ts';
import { command as events } from '../webhooks/kinds.ts';
import { command as listen } from '../webhooks/listen.ts';
import { command as trigger } from '../webhooks/trigger.ts';
import { command as verify } from '../webhooks/verify.ts';

/** `fn webhook …` */
export const commands = {
  listen: { summary: 'Forward events to this machine; none is lost', command: listen },
  trigger: { summary: 'Write an example of an event, to try out what receives it', command: trigger },
  events: { summary: 'List the kinds of events; show examples and schemas', command: events },
  verify: { summary: 'Check a signature, and say what is wrong', command: verify },
  deliveries: { summary: 'List what was delivered, with every attempt', command: deliveries },
  resend: { summary: 'Deliver again what was delivered or failed', command: resend },
  add: { summary: 'Add an endpoint; its secret is shown once', command: add },
  list: { summary: 'List the endpoints', command: list },
  show: { summary: 'Show an endpoint', command: show },
  update: { summary: 'Change, enable or disable an endpoint', command: update },
  ping: { summary: 'Send an endpoint a ping, and show its answer', command: ping },
  recover: { summary: 'Deliver what an endpoint has missed', command: recover },
  rotate: { summary: 'Give an endpoint a new signing secret', command: rotate },
  remove: { summary: 'Remove an endpoint', command: remove },
};
