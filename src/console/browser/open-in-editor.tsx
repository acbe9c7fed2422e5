import { editorLink, editors, isEditor, type SourcePlace } from '../model/editor.ts';
import { appFolder, editor } from './app.ts';
import { useKeys } from './keys.ts';
import { Icon } from './parts.tsx';

export const chosenEditor = () => (isEditor(editor.value) ? editor.value : 'vscode');

/** The link to a place in the app's own files; undefined where there is none. */
function linkOf(place: SourcePlace | undefined): string | undefined {
  return place === undefined || appFolder === undefined ? undefined : editorLink(chosenEditor(), appFolder, place);
}

/** A link that opens a file of the app in the editor; `o` follows it. Nothing for files elsewhere. */
export function OpenInEditor({ place }: { readonly place: SourcePlace | undefined }) {
  const href = linkOf(place);
  useKeys(href === undefined ? {} : { o: () => location.assign(href) });
  if (href === undefined) return null;
  const label = `Open in ${editors[chosenEditor()]} (o)`;
  return (
    <a class="btn" data-shape="square" data-kind="quiet" href={href} aria-label={label} title={label}>
      <Icon name="editor" />
    </a>
  );
}

/** A place in a file; a link if it is one of the app's. */
export function SourceLink({ place }: { readonly place: SourcePlace }) {
  const { file, line, column } = place;
  const text = [file, line, column].filter((part) => part !== null && part !== undefined).join(':');
  const href = linkOf(place);
  return (
    <code class="t-2">
      {href === undefined ? (
        text
      ) : (
        <a class="link" href={href} title={`Open in ${editors[chosenEditor()]}`}>
          {text}
        </a>
      )}
    </code>
  );
}
