import { useRef } from 'preact/hooks';
import { problemIn } from '../model/api.ts';
import { call } from './app.ts';
import { Square } from './parts.tsx';

/** A button that chooses a file. */
export function FileButton({ label, onFile }: { readonly label: string; readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        type="file"
        hidden
        ref={input}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
      <Square icon="clip" label={label} onClick={() => input.current?.click()} />
    </>
  );
}

/** Uploads a file as any client does: by signed credentials. */
export async function uploaded(file: File): Promise<{ mediaId: never; fileName: string }> {
  const contentType = file.type || 'application/octet-stream';
  const credentials = await call('templates.uploadCredentials', { fileName: file.name, contentType, bytes: file.size });
  const { mediaId, uploadUrl, method, headers } = credentials;
  // The address names the workspace as it knows itself; this page may have been opened by another name of the same machine.
  const { pathname, search } = new URL(uploadUrl, location.origin);
  const response = await fetch(pathname + search, { method, headers, body: file });
  if (!response.ok) throw await problemIn(response);
  return { mediaId: mediaId as never, fileName: file.name };
}
