import { command as listen } from '../webhooks/listen.ts';

/** `fn webhook …` */
export const commands = {
  listen: { summary: 'Forward events to this machine; none is lost', command: listen },
};
