/** An error with a remedy. */
export function withRemedy(message: string, remedy: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { remedy });
}
