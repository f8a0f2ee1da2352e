import type { ImportProblem, ItemMetadata } from '@gantry/contracts';

/** Problem of a line, under the label of its field: `Line 3, Price: "abc" is not a number`. */
export function problemText(metadata: Pick<ItemMetadata, 'fields'>, problem: ImportProblem): string {
  const { line, path, message, value } = problem;
  const label = metadata.fields.find(({ name }) => name === path)?.displayName;
  if (label === undefined) return `Line ${line}: ${message.includes(path) ? message : `${path}: ${message}`}`;
  return `Line ${line}, ${label}: ${withValue(reasonOf(problem), value)}`;
}

/** Problem of a value, beside it: messages begin with the name of the field, except those of a model's own validators. */
export function reasonOf({ path, message }: ImportProblem): string {
  return message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
}

/** `must be a number` becomes `"abc" is not a number`, and `must be at most 5` becomes `"6" must be at most 5`. */
function withValue(text: string, value: string | undefined): string {
  if (value === undefined || !text.startsWith('must ')) return text;
  const kind = /^must be ((?:an? |one of |true or ).*)$/s.exec(text)?.[1];
  const quoted = `"${value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value}"`;
  return kind === undefined ? `${quoted} ${text}` : `${quoted} is not ${kind}`;
}

const maxValueLength = 60;
