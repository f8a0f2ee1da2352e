/** The context of encryption: a secret of a webhook cannot be moved to another one. */
export function contextOf(id: string): string {
  return `webhook:${id}`;
}
