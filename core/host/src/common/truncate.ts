const longest = 80;

/** What a client sent, as a message shows it: an answer must not grow with what it refuses. */
export function truncate(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
