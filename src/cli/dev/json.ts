import type { DevEvent } from '../../dev/index.ts';
import type { FnError } from '../../std/index.ts';
import { loginLine } from './login-line.ts';

/** An event as printed by `fn dev --json`; undefined for events that are only for people. Fields are only ever added. */
export function devJson(event: DevEvent): Record<string, unknown> | undefined {
  switch (event.type) {
    case 'listening':
      return undefined; // `ready` says the same once everything answers
    case 'ready': {
      const { type, url, openUrl, workspace, app, token, functions, flows, agents, ms, practice } = event;
      return {
        ...{ type, url, openUrl, workspace, app, token, functions: functions.map(withProblem), flows, agents },
        ms: Math.round(ms),
        ...(practice && { login: loginLine(workspace.url, practice.tokenFile) }),
      };
    }
    case 'built':
      return {
        type: 'built',
        name: event.name,
        ms: Math.round(event.ms),
        bytes: event.bytes,
        again: event.again,
        mended: event.mended,
        warnings: event.warnings,
        ...(event.logs.length > 0 && { logs: event.logs }),
      };
    case 'build-failed':
      return { type: 'build-failed', name: event.name, serving: event.serving, error: problemOf(event.error) };
    case 'refused': {
      const { status, errors } = event.error;
      return {
        type: event.type,
        request: event.request,
        status,
        error: { ...problemOf(event.error), ...(errors && { errors }) },
      };
    }
    case 'reload-failed':
      return { type: event.type, what: event.what, error: problemOf(event.error) };
    case 'setup-failed':
    case 'watch-failed':
      return { type: event.type, error: problemOf(event.error) };
    default:
      return { ...event };
  }
}

function withProblem<T extends { problem?: FnError }>({ problem, ...rest }: T): Record<string, unknown> {
  return { ...rest, ...(problem && { problem: problemOf(problem) }) };
}

function problemOf({ code, message, hint, location }: FnError): Record<string, unknown> {
  return { code, message, ...(hint && { hint }), ...(location && { location }) };
}
