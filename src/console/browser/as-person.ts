import type { OperationName } from '../../contract/index.ts';
import { actsAs, api } from './app.ts';

/** Carries out an operation as the colleague whom one has chosen to be. @throws Problem */
export async function asPerson(operation: OperationName, input: Readonly<Record<string, unknown>>): Promise<void> {
  const headers = actsAs.value === '' ? {} : { 'fn-agent': actsAs.value };
  const response = await api.open(operation, input, { headers });
  await response.body?.cancel();
}
