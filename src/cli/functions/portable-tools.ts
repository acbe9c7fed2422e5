import { checkPortability, type FunctionConfig } from '../../contract/function-config/index.ts';
import { ProjectError } from '../../std/index.ts';
import { warningText } from '../failures/report.ts';
import type { Io } from '../io.ts';

/**
 * Warns about what some models do not take in a tool's arguments.
 * @throws ProjectError schema_not_portable for what most of them do not take
 */
export function requirePortable(io: Io, name: string, config: FunctionConfig, file: string): void {
  if (config.type !== 'ai-tool') return;
  const { errors, warnings } = checkPortability(config.input);
  const placed = ({ path, message }: { path: string; message: string }) =>
    `config.input${path === '' ? '' : `.${path}`} ${message}`;
  for (const warning of warnings) io.err(warningText(name, { message: placed(warning) }, io.errStyle));
  const [first, ...others] = errors;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new ProjectError('schema_not_portable', `${file}: ${placed(first)}${more}`, {
    hint: 'Say it with properties, required, enum, anyOf and $defs, check the rest in the function, and see fn docs tools.',
    location: { file },
  });
}
