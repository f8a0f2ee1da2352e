/** Texts to choose one of, such as `(png|jpg)`, as a part that does not repeat. */
const choice = /\((?:\?:)?[^()|*+?{}[\]\\]+(?:\|[^()|*+?{}[\]\\]+)+\)(?![*+?{])/u;

/**
 * Whether a pattern is safe at a glance: single characters and classes, fixed counts of them, at most one choice of texts, and at
 * most one character or class that repeats freely. Such a pattern has no more ways to match the same text than texts to choose of.
 */
export function isPlainPattern(source: string): boolean {
  const body = /^\^\(\?:(.*)\)\$$/su.exec(source)?.[1];
  if (body === undefined) return false;
  const atoms = body
    .replaceAll(/\\(?:[dDsSwW]|[-^$\\.*+?()[\]{}|/])|\[\^?(?:\\.|[^\]\\])*\]/gsu, 'a')
    .replace(choice, 'a')
    .replaceAll(/\{\d{1,3}\}/gu, '');
  const repeats = /[*+?]|\{\d{1,3},(?:\d{1,3})?\}/gu;
  return (atoms.match(repeats) ?? []).length <= 1 && !/[()|\\[\]{}*+?]/u.test(atoms.replaceAll(repeats, ''));
}
