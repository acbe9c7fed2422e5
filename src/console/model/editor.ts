/** Editors that open a file by a link, and what they are called. */
export const editors = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  windsurf: 'Windsurf',
  vscodium: 'VSCodium',
  zed: 'Zed',
  webstorm: 'WebStorm',
} as const;

export type Editor = keyof typeof editors;

export const isEditor = (name: string): name is Editor => Object.hasOwn(editors, name);

/** A place in a file of the app. */
export interface SourcePlace {
  /** Below the app's folder, with slashes. */
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
}

/**
 * The link that opens a file of the app in an editor. The editor is started by the browser, which asks first; nothing is started here.
 * @param root the app's folder
 * @returns undefined for whatever does not lie below it: other paths, Node's own modules, addresses
 */
export function editorLink(editor: Editor, root: string, { file, line, column }: SourcePlace): string | undefined {
  const parts = file.split('/');
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  // A colon would be a drive or a scheme; a backslash leads up on Windows; nobody sees control characters.
  if (!isBelow || /[:\\\p{Cc}]/u.test(file)) return undefined;
  const folder = root.replaceAll('\\', '/').replace(/\/$/, '');
  const path = `${folder.startsWith('/') ? '' : '/'}${folder}/${file}`.split('/').map(encodePart).join('/');
  const at = isCount(line) ? [line, ...(isCount(column) ? [column] : [])] : [];
  if (editor === 'webstorm') {
    const place = at.map((value, index) => `&${index === 0 ? 'line' : 'column'}=${value}`).join('');
    return `webstorm://open?file=${path}${place}`;
  }
  return [`${editor}://file${path}`, ...at].join(':');
}

/** A drive keeps its colon. */
const encodePart = (part: string): string => (/^[A-Za-z]:$/.test(part) ? part : encodeURIComponent(part));

const isCount = (value: number | null | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0;
