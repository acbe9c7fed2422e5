import { answer } from '../../../../shared/answer.js';

/** Lists the approved message templates (Developer Interface 4.2). */
export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token' } };

export default (sdk) =>
  answer(() => sdk.messageTemplates.list(Object.fromEntries(new URL(sdk.request.url).searchParams)));
