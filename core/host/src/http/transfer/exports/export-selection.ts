import type { ErrorDetail } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { parseCriteria, type BoundCriterion } from '../../../content/query/criteria';
import type { ItemTypeDescriptor } from '../../../content/compile/descriptor';
import { isJsonObject, numberText } from '../../../common/json';
import { readId } from '../../../content/kinds/reference';
import { truncate } from '../../../common/truncate';

/** Which items a request wants to have. */
export interface ExportSelection {
  readonly criteria: readonly BoundCriterion[];
  /** Only the items of these ids, as far as they exist. */
  readonly only?: readonly string[];
}

const members = ['criteria', 'items'] as const;

/**
 * Reads the body of an export: the criteria of a list, or an object with `criteria` and the ids of `items`. A list names
 * the criteria that it passed over; a file cannot hold that, and would have more than was asked for.
 * @throws GantryError BAD_REQUEST
 */
export function parseExportSelection(type: ItemTypeDescriptor, body: unknown): ExportSelection {
  if (Array.isArray(body)) return { criteria: appliedCriteria(type, body) };
  if (!isJsonObject(body)) {
    throw new GantryError(
      'BAD_REQUEST',
      'The body must be a JSON array of criteria { field, operator, value }, or an object { criteria, items }.',
    );
  }
  const unknown = Object.keys(body).filter((key) => !members.some((member) => member === key));
  if (unknown.length > 0) {
    const named = unknown.slice(0, 10).map((key) => JSON.stringify(truncate(key)));
    throw new GantryError(
      'BAD_REQUEST',
      `The body has the unknown key ${named.join(', ')}. Known are ${members.join(', ')}.`,
    );
  }
  const listed = Object.hasOwn(body, 'criteria') ? body['criteria'] : [];
  if (!Array.isArray(listed)) {
    throw new GantryError('BAD_REQUEST', 'The key criteria must be an array of { field, operator, value }.');
  }
  const criteria = appliedCriteria(type, listed);
  return Object.hasOwn(body, 'items') ? { criteria, only: idsOf(body['items']) } : { criteria };
}

function appliedCriteria(type: ItemTypeDescriptor, body: unknown): readonly BoundCriterion[] {
  const { criteria, skipped } = parseCriteria(type, body);
  if (skipped.length === 0) return criteria;
  const details = skipped.map(({ field, reason }): ErrorDetail => {
    const shown = truncate(field);
    return {
      path: shown,
      code: 'CRITERION',
      message:
        reason === 'BLANK_VALUE'
          ? `the criterion on ${shown} has no value`
          : `${type.displayName} cannot be searched by ${shown === '' ? 'a field without a name' : shown}`,
    };
  });
  throw new GantryError('BAD_REQUEST', details.map(({ message }) => message).join('; '), { details });
}

function idsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new GantryError('BAD_REQUEST', 'The key items must be an array of ids.');
  return value.map((entry: unknown, index) => {
    const id = readId(numberText(entry) ?? '');
    if (id.ok) return id.value;
    throw new GantryError('BAD_REQUEST', `items[${index}] must be an id, a whole number from 1.`);
  });
}
