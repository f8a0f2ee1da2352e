/** Seconds that the image library may take for one image. */
export const decodeSeconds = 30;

/** Whether the image library gave up because of the time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.toLowerCase().includes('timeout');
}
