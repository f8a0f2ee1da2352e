/** Ids of the latest requests with which this tab wrote something. */
const ids = new Set<string>();
const maxIds = 500;

export function noteOwnRequest(id: string | null): void {
  if (id === null) return;
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > maxIds && oldest !== undefined) ids.delete(oldest);
}

export function isOwnRequest(id: string): boolean {
  return ids.has(id);
}
