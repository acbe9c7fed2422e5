import { type Door, templateExample } from '../../contract/index.ts';

type Example = (door: Door) => Promise<unknown>;

/** Inputs to try our functions with, by app and name; what they name is there in the workspace. */
const examples: Readonly<Record<string, Example>> = {
  'template-app/api/template/send': async (door) => {
    const { items } = await door('messageTemplates.list', {});
    const bodies = items.map(templateExample);
    // The shortest reads best in a line.
    return bodies.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0];
  },
  'template-app/api/template/upload-credentials': async () => ({
    fileName: 'photo.jpg',
    contentType: 'image/jpeg',
    bytes: 1024,
  }),
  'session-link-app/api/session/link': async () => ({ phone: '+4930901820' }),
};

/** An input to try one of our functions with. @param door of a caller that may read what is for our apps only */
export async function builtInExample(app: string, name: string, door: Door): Promise<unknown> {
  return await examples[`${app}/${name}`]?.(door);
}
