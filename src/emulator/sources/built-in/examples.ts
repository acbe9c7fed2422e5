import { type Door, templateExample } from '../../../contract/index.ts';

type Example = (door: Door) => Promise<unknown>;

/** Sample inputs for our functions, by app and name; the objects that they refer to exist in the workspace. */
const examples: Readonly<Record<string, Example>> = {
  'template-app/api/template/send': async (door) => {
    const { items } = await door('messageTemplates.list', {});
    const bodies = items.map(templateExample);
    // The shortest fits best on a line.
    return bodies.sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0];
  },
  'template-app/api/template/upload-credentials': async () => ({
    fileName: 'photo.jpg',
    contentType: 'image/jpeg',
    bytes: 1024,
  }),
  'session-link-app/api/session/link': async () => ({ phone: '+4930901820' }),
};

/** A sample input for one of our functions. @param door with permission to read the data of our apps */
export async function builtInExample(app: string, name: string, door: Door): Promise<unknown> {
  return await examples[`${app}/${name}`]?.(door);
}
