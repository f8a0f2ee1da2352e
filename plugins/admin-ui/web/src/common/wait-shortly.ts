/** In milliseconds: about as long as nobody notices that nothing happens. */
const longestWaitMs = 100;

/**
 * Waits for answers that are about to come, so that a page is drawn once, with them: drawing keeps the browser busy for
 * longer than the platform takes to answer. What takes longer, or fails, is left to the page.
 */
export async function waitShortly(answers: Promise<unknown>): Promise<void> {
  const tooLong = new Promise((resolve) => setTimeout(resolve, longestWaitMs));
  await Promise.race([answers.catch(() => undefined), tooLong]);
}
