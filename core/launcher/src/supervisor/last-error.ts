/** The last output of Node after an uncaught error. */
const nodeEpilogue = /^Node\.js v\d/;
const errorLine = /^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)\b.*)$/;

/** @returns the error that ended a Node process, read from the last lines it printed; undefined when it was none. */
export function lastErrorOf(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line) => nodeEpilogue.test(line));
  if (end === -1) return lines.find((line) => line.startsWith('FATAL ERROR:'));
  const found = lines.slice(0, end).findLast((line) => errorLine.test(line));
  return found === undefined ? undefined : errorLine.exec(found)?.[1];
}
