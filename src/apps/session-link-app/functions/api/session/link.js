import { answer } from '../../../../shared/answer.js';

/** Gives the direct link to the conversation of a customer, creating what is missing (Developer Interface 4.4). */
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };

export default (sdk) => answer(async () => sdk.conversations.link(await sdk.request.json()));
