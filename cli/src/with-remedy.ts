/** An error that tells what to do. */
export function withRemedy(message: string, remedy: string): Error {
  return Object.assign(new Error(message), { remedy });
}
