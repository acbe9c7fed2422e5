import { answer } from '../../../../shared/answer.js';

/** Sends an approved message template to a number (Developer Interface 4.1). */
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };

export default (sdk) => answer(async () => sdk.messages.sendTemplate(await sdk.request.json()));
