import type { ExitCode } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import { templateToSend } from '../values/approved-templates.ts';
import { headerHint, problemsByFlags } from './flag-names.ts';
import type { Draft, MessageFlags } from './message.ts';
import { preview } from './preview.ts';
import { addressOfSend } from './send-one.ts';

/**
 * Shows the exact request and the message as the customer would see it. Templates and the customer's language are read; nothing is sent or uploaded.
 * @param flags with which the message was typed
 * @param row   columns of the line of a list
 * @returns 1 if the variables do not fit
 * @throws WorkspaceError template_not_found, template_language_unknown
 */
export async function dryRun(
  context: Context,
  target: Target,
  draft: Draft,
  flags: MessageFlags,
  key: string | undefined,
  row?: Readonly<Record<string, string>>,
): Promise<ExitCode> {
  const { io, signal } = context;
  const { template: name, language, to } = draft.body;
  const { template } = await templateToSend({ door: target.door, signal }, { name, language, to });
  const { lines, problems: found } = preview(template, draft);
  const problems = problemsByFlags(found, flags, row);
  const uploads = draft.files.map(({ path, fileName, contentType, bytes, placeholder }) => ({
    path,
    fileName,
    contentType,
    bytes,
    placeholder,
  }));
  const [method, url] = addressOfSend(target).split(' ');
  const request = { method, url, headers: { 'idempotency-key': key ?? 'a new one for each send' }, body: draft.body };
  io.result({ dryRun: true, request, uploads, rendered: lines.join('\n'), problems }, () => {
    const parts = [`${method} ${url}`, JSON.stringify(draft.body, null, 2)];
    if (uploads.length > 0) {
      parts.push(
        '',
        ...uploads.map(
          (file) =>
            `uploaded first: ${file.fileName} (${file.contentType}, ${file.bytes} bytes) in place of ${file.placeholder}`,
        ),
      );
    }
    parts.push('', `${to} would see (${template.language}):`, '', ...lines.map((line) => `  ${line}`));
    return parts.join('\n');
  });
  for (const { path, message } of problems) io.err(`${path} ${message}`);
  const hint = headerHint(problems);
  if (hint !== undefined) io.err(`${io.style.cyan('→')} ${hint}`);
  if (problems.length === 0) io.err('Nothing was sent (--dry-run).');
  return problems.length === 0 ? 0 : 1;
}
