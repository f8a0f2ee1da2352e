/** What is encrypted for a webhook cannot be moved to another one. */
export function contextOf(id: string): string {
  return `webhook:${id}`;
}
