const intervalMs = 5_000;

/**
 * Prints a line every 5 s while an action runs.
 * @param {(seconds: number) => string} describe the line
 */
export async function withProgress(describe, action) {
  const begin = performance.now();
  const timer = setInterval(() => console.log(describe(Math.round((performance.now() - begin) / 1_000))), intervalMs);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}
