/** A workspace sends something at least every 15 seconds. */
const maxSilenceMs = 45_000;
const lookEveryMs = 5_000;

/**
 * Passes a stream on, and calls `onSilence` when nothing has come for 45 seconds: the connection is dead, though nobody has said so, as after a
 * machine has slept. Only while the next bytes are waited for. By the wall clock, which goes on during sleep.
 */
export async function* watchSilence(
  stream: AsyncIterable<Uint8Array>,
  onSilence: () => void,
): AsyncGenerator<Uint8Array> {
  let since = Date.now();
  let isWaiting = true;
  const timer = setInterval(() => {
    if (isWaiting && Date.now() - since >= maxSilenceMs) onSilence();
  }, lookEveryMs);
  try {
    for await (const chunk of stream) {
      isWaiting = false;
      yield chunk;
      isWaiting = true;
      since = Date.now();
    }
  } finally {
    clearInterval(timer);
  }
}
