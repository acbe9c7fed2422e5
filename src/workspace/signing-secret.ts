import { refusal } from '../contract/index.ts';
import { decodeSigningSecret, UsageError } from '../std/index.ts';

/** Why a secret cannot sign; undefined if it can. The message never repeats it. */
export function findSecretProblem(secret: string): UsageError | undefined {
  try {
    decodeSigningSecret(secret);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** @throws WorkspaceError signing_secret_invalid; the message never repeats the secret */
export function requireSigningSecret(secret: string): string {
  const problem = findSecretProblem(secret);
  if (problem === undefined) return secret;
  throw refusal('signing_secret_invalid', problem.message, {
    hint: problem.hint,
    errors: [{ path: 'secret', message: problem.message }],
  });
}
