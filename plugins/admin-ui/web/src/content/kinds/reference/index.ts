import { LosslessNumber } from 'lossless-json';
import { referencesIn, type Reference } from '../../../api/items';
import { plainKind, type FieldKind } from '../field-kind';

/** Its payload is raw ids. */
export const fieldKind: FieldKind = {
  ...plainKind,
  isShort: true,
  isOnCards: true,
  formValue: referencesIn,
  payloadValue(value, { referenceCardinality }) {
    if (!Array.isArray(value)) return null;
    const ids = (value as readonly Reference[]).map(({ id }) => new LosslessNumber(id));
    return referenceCardinality === 'MULTIPLE' ? ids : (ids[0] ?? null);
  },
  givenValue: (value) => (typeof value === 'object' ? (value?.map(idNumber) ?? null) : idNumber(value)),
  operators: ['EQUALS', 'CONTAINS'],
  // The order would be that of the targets' ids.
  isSortable: false,
  importHint: (ids) =>
    `The file has no column for this field. Enter the ${ids ? 'id' : 'key'} of the item to which all imported items refer.`,
};

function idNumber(id: unknown): unknown {
  return typeof id === 'string' && /^\d+$/.test(id) ? new LosslessNumber(id) : id;
}
