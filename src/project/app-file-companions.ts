import type { AppFileKind } from '../contract/index.ts';
import type { AppFileContent } from '../contract/shapes/index.ts';
import type { ProjectError } from '../std/index.ts';

/** What a kind of file needs to read the files beside it. */
export interface Surroundings {
  /** Name of the file, without folder and ending. */
  readonly name: string;
  /** Reads a file of the same folder; undefined if there is none. What was read belongs to the file. */
  readonly beside: (file: string) => string | undefined;
  /** The error of a field. */
  readonly refuse: (path: string, message: string) => ProjectError;
}

type Companions<K extends AppFileKind> = (config: AppFileContent<K>, around: Surroundings) => AppFileContent<K>;

const besideName = /^@([A-Za-z0-9][\w.-]{0,99})$/;

/** How the files beside a file are read, by its kind. @throws ProjectError app_file_invalid */
export const companionsOf: { readonly [K in AppFileKind]: Companions<K> } = {
  'ai-agent': (config, { name, beside, refuse }) => {
    for (const [role, model] of Object.entries(config.models ?? {})) {
      const script = /^script:(.+)$/.exec(model ?? '')?.[1];
      if (script === undefined || script === 'default' || script === name) continue;
      if (!/^[\w-]{1,100}$/.test(script) || beside(`${script}.model.json`) === undefined)
        throw refuse(`models.${role}`, `names the script ${script}, but there is no agents/${script}.model.json`);
    }
    const own = beside(`${name}.model.json`);
    if (own === undefined && Object.values(config.models ?? {}).includes(`script:${name}`))
      throw refuse('models', `names the script ${name}, but there is no agents/${name}.model.json`);
    if (!config.instructions.startsWith('@')) return config;
    const file = besideName.exec(config.instructions)?.[1];
    if (file === undefined) throw refuse('instructions', 'must name a file beside this one after the @');
    const text = beside(file);
    if (text === undefined) throw refuse('instructions', `names agents/${file}, which is not there`);
    if (text.trim() === '') throw refuse('instructions', `names agents/${file}, which is empty`);
    return { ...config, instructions: text };
  },
};
