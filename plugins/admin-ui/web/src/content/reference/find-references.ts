import type { ItemMetadata, SearchField } from '@gantry/contracts';
import { listItems, type Page } from '../../api/items';
import { kindOf } from '../kinds/registry';
import { isLabelField } from '../../api/label';
import type { Pace } from './pace';

/** The state of a search for references: the field it looks in, and the page. */
export interface SearchPosition {
  readonly field: string | undefined;
  readonly after: string | undefined;
}

export interface FoundReferences extends Page {
  /** The field in which the words were found. */
  readonly field: string | undefined;
}

const pageSize = 20;

/**
 * Finds items for a picker. Criteria hold all together, so one request looks into one field only; when it finds nothing,
 * the next field is tried in its turn: first those the label is made of, then the id.
 */
export async function findReferences(
  target: ItemMetadata,
  term: string,
  position: SearchPosition,
  nextRequest: Pace,
  signal: AbortSignal,
): Promise<FoundReferences> {
  if (term.trim() === '') {
    await nextRequest(signal);
    return {
      ...(await listItems(target.code, { criteria: [], limit: pageSize, after: position.after }, signal)),
      field: undefined,
    };
  }
  const fields = position.field === undefined ? candidates(target, term) : [position.field];
  let found: FoundReferences = { items: [], skipped: [], field: undefined };
  for (const field of fields) {
    await nextRequest(signal);
    const operator = field === 'id' ? 'EQUALS' : 'CONTAINS';
    const page = await listItems(
      target.code,
      { criteria: [{ field, operator, value: term }], limit: pageSize, after: position.after },
      signal,
    );
    found = { ...page, field };
    if (page.items.length > 0) return found;
  }
  return found;
}

const maxFields = 3;

function candidates(target: ItemMetadata, term: string): readonly string[] {
  const texts = target.searchable.filter(isText);
  const labels = texts.filter(({ name }) => isLabelField(name));
  const names = [...labels, ...texts.filter((field) => !labels.includes(field))]
    .slice(0, maxFields)
    .map(({ name }) => name);
  return /^[1-9]\d{0,17}$/.test(term.trim()) ? [...names, 'id'] : names;
}

function isText({ type, options }: SearchField): boolean {
  return options === undefined && kindOf(type).hasWords;
}
