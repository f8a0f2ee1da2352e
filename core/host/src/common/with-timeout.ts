/**
 * Waits for code of others, such as a plugin's, at most for so long. What it throws later is ignored.
 * @throws what the code threw, or what `expired` gives
 */
export async function withTimeout<T>(timeoutMs: number, code: () => T | Promise<T>, expired: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(expired()), timeoutMs);
  });
  try {
    // The race also observes a late rejection of the code, so that it does not count as unhandled.
    return await Promise.race([code(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
