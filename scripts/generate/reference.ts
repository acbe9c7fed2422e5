import { page } from './markdown.ts';
import { operationsPage } from './reference-operations.ts';
import {
  appConfigPage,
  commandsPage,
  errorsPage,
  eventsPage,
  exitCodesPage,
  functionsPage,
  limitsPage,
  seedPage,
} from './reference-pages.ts';
import { sdkPage } from './reference-sdk.ts';

/** `docs/reference`, by file name. */
export async function generateReference(): Promise<Map<string, string>> {
  const pages = {
    operations: operationsPage,
    sdk: sdkPage,
    functions: functionsPage,
    errors: errorsPage,
    events: eventsPage,
    limits: limitsPage,
    'app-config': appConfigPage,
    seed: seedPage,
    commands: commandsPage,
    'exit-codes': exitCodesPage,
  };
  const texts: [name: string, text: string][] = [];
  for (const [name, make] of Object.entries(pages)) texts.push([name, await make()]);
  const files: [name: string, text: string][] = [['README', indexOf(texts)], ...texts];
  return new Map(files.map(([name, text]) => [`docs/reference/${name}.md`, text]));
}

/** Every page with its first paragraph's first sentence. */
function indexOf(texts: readonly (readonly [name: string, text: string])[]): string {
  const lines = texts.map(([name, text]) => {
    const [title = '', , about = ''] = text.split('\n\n');
    return `- [${title.replace(/^# /, '')}](${name}.md): ${firstSentence(about)}`;
  });
  return page(
    'Reference',
    'All names, fields, codes and limits, generated from the same tables as the workspace, the `sdk` and the commands. `fn docs PAGE` shows a page in the terminal. To learn how to use them, read [the guide](../guide/README.md).',
    lines.join('\n'),
  );
}

function firstSentence(paragraph: string): string {
  const flat = paragraph.replaceAll('\n', ' ');
  return /^.*?[.](?= |$)/.exec(flat)?.[0] ?? flat;
}
