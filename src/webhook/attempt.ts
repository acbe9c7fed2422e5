/** What is to be sent. */
export interface WebhookRequest {
  /** As `checkEndpointUrl` has returned it. */
  readonly url: string;
  /** `webhook-id`: the same at each attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string | Uint8Array;
  /** One; two while a secret is rotated, the new one first. */
  readonly secrets: readonly string[];
  /** In addition to our own, from `readExtraHeaders`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One attempt, whatever became of it. Times are the machine's. */
export interface Attempt {
  readonly startedAtMs: number;
  readonly ms: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The exact bytes that were signed and sent. */
  readonly body: Uint8Array;
  readonly status?: number;
  readonly answer?: WebhookAnswer;
  /** Why there is no answer, or why it breaks off. */
  readonly error?: AttemptError;
}

/** Untrusted: control characters of headers are replaced, those of the body are not. */
export interface WebhookAnswer {
  /** Lower-case names; no cookies; 4 KiB at most. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most the first 4 KiB, and what came within a second of the head. */
  readonly body: string;
  /** Whether there was more. */
  readonly truncated: boolean;
}

export interface AttemptError {
  readonly code:
    | 'address_refused'
    | 'host_not_found'
    | 'connection_refused'
    | 'connection_failed'
    | 'connection_cut'
    | 'certificate_invalid'
    | 'tls_failed'
    | 'answer_invalid'
    | 'timeout'
    | 'stopped';
  /** What happened, as a sentence without a full stop. */
  readonly message: string;
}
