/** An error that tells what to do. */
export function withRemedy(message: string, remedy: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { remedy });
}
