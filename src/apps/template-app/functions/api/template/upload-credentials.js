import { answer } from '../../../../shared/answer.js';

/** Gives credentials to upload the media of a template's header once (Developer Interface 4.3). */
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };

export default (sdk) => answer(async () => sdk.media.createUpload(await sdk.request.json()), 201);
