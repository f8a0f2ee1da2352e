/**
 * Whether a pattern is safe at a glance: single characters and classes, fixed counts of them, and at most one of them that
 * repeats freely. Such a pattern never has two ways to match the same text.
 */
export function isPlainPattern(source: string): boolean {
  const body = /^\^\(\?:(.*)\)\$$/su.exec(source)?.[1];
  if (body === undefined) return false;
  const atoms = body
    .replaceAll(/\\(?:[dDsSwW]|[-^$\\.*+?()[\]{}|/])|\[\^?(?:\\.|[^\]\\])*\]/gsu, 'a')
    .replaceAll(/\{\d{1,3}\}/gu, '');
  const repeats = /[*+?]|\{\d{1,3},(?:\d{1,3})?\}/gu;
  return (atoms.match(repeats) ?? []).length <= 1 && !/[()|\\[\]{}*+?]/u.test(atoms.replaceAll(repeats, ''));
}
