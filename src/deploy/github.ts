import { appendFileSync } from 'node:fs';
import type { Environment, FnError } from '../std/index.ts';
import type { DeployReport } from './deploy.ts';

/**
 * Formats an annotation on the source line, as the runner reads it from the output of a step.
 * @param prefix folder of the app below the repository, so that the file is found there
 */
export function annotation(error: FnError, prefix = ''): string {
  const { location } = error;
  const place =
    location === undefined
      ? ''
      : ` file=${property(prefix + location.file)}` +
        (location.line === undefined ? '' : `,line=${location.line}`) +
        (location.column === undefined ? '' : `,col=${location.column}`);
  const separator = place === '' ? ' ' : ',';
  return `::error${place}${separator}title=${property(error.code)}::${data(error.hint === undefined ? error.message : `${error.message}\n${error.hint}`)}`;
}

/** Writes the job summary and the outputs `deployment`, `previous`, `changed`, `outcome` to the files that the runner names. */
export function reportToGitHub(report: DeployReport, env: Environment, secrets: readonly string[]): void {
  const summary = env['GITHUB_STEP_SUMMARY'];
  const output = env['GITHUB_OUTPUT'];
  if (summary) appendFileSync(summary, masked(summaryOf(report), secrets));
  if (output) {
    const changed = report.outcome === 'done';
    const lines = [
      `deployment=${report.deployment ?? ''}`,
      `previous=${report.previous ?? ''}`,
      `changed=${changed}`,
      `outcome=${report.outcome}`,
    ];
    appendFileSync(output, masked(`${lines.map((line) => line.replace(/[\r\n]/g, ' ')).join('\n')}\n`, secrets));
  }
}

/** The report as Markdown. */
export function summaryOf(report: DeployReport): string {
  const { app, workspace, outcome, deployment, previous, changes, uploaded, commit, waitsForInstall } = report;
  const title = {
    done: `Deployed ${code(app)} to ${code(workspace)}`,
    unchanged: `${code(app)} in ${code(workspace)} is up to date`,
    dry_run: `What a deploy of ${code(app)} to ${code(workspace)} would do`,
    declined: `${code(app)} was not deployed`,
  }[outcome];
  const rows = changes
    .filter(({ kind }) => kind !== 'unchanged' && kind !== 'keep')
    .map(
      (change) =>
        `| ${change.kind} | ${code(change.path)} | ${change.type} | ${change.bytesAfter ?? '–'} | ${change.config.map(({ field }) => code(field)).join(' ')} |`,
    );
  const same = changes.length - rows.length;
  const lines = [`### ${title}`, ''];
  if (outcome === 'done')
    lines.push(
      `Live is ${code(deployment ?? '')}, before it ${code(previous ?? 'nothing')}. ${uploaded.files} files uploaded (${uploaded.bytes} bytes).`,
      '',
    );
  if (waitsForInstall)
    lines.push(
      `**It is not installed yet**: ${code(`fn app install ${app}`)}, with the settings that its setup asks for.`,
      '',
    );
  if (commit !== null) lines.push(`Commit ${code(commit.sha)}${commit.dirty ? ' with uncommitted changes' : ''}.`, '');
  if (rows.length > 0)
    lines.push('| | function | type | bytes | config |', '| --- | --- | --- | --- | --- |', ...rows, '');
  if (same > 0) lines.push(`${same} unchanged.`, '');
  return `${lines.join('\n')}\n`;
}

/** Masks secret values in a text. */
export function masked(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function code(text: string): string {
  return `\`${text.replace(/[`|\r\n]/g, ' ')}\``;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
