import { isRecord } from '../../std/index.ts';
import { ModelFailure } from '../loop/model-failure.ts';

/** An error of a vendor's client that has a status, as failures are read everywhere; others as they are. */
export function toClientFailure(error: unknown): unknown {
  if (!isRecord(error) || typeof error['status'] !== 'number') return error;
  const headers = error['headers'] instanceof Headers ? Object.fromEntries(error['headers']) : {};
  // Its message begins with the status.
  const message = String(error['message']).replace(/^\d{3} /, '');
  return Object.assign(new ModelFailure(error['status'], message), { responseHeaders: headers });
}
