import type { ImportProblem, ItemMetadata } from '@gantry/contracts';

/** What is wrong with a line, under the label of its field: `Price: must be a number`. */
export function problemText({ fields }: Pick<ItemMetadata, 'fields'>, { path, message }: ImportProblem): string {
  const label = fields.find(({ name }) => name === path)?.displayName;
  // Messages begin with the name of the field, but for those of a model's own validators.
  const text = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  if (label === undefined) return message.includes(path) ? message : `${path}: ${message}`;
  return `${label}: ${text}`;
}
