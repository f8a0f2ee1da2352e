import type { FormField, Operator } from '@gantry/contracts';
import type { NewValues } from '@gantry/ui';
import type { FormValue } from '../../api/items';
import { shortText } from '../../api/label';

/** Behaviour of the values of a field type in the pages; their appearance is in its FieldView. */
export interface FieldKind {
  /** The value of a row, or a default, as the control of the field holds it. */
  formValue(value: unknown, field?: Pick<FormField, 'placeholder'>): FormValue;
  /** Value of the control as the payload of a write has it; null for an empty one (specification, section 4). */
  payloadValue(value: FormValue, field: FormField): unknown;
  /** A value that the pages of a plugin gave, as the payload of a write has it. */
  givenValue(value: NewValues[string]): unknown;
  /** By which it is mostly searched, in this order, as far as the metadata of the field has them (specification, section 4.5). */
  readonly operators: readonly Operator[];
  /** Whether an order by its values helps anybody. */
  readonly isSortable: boolean;
  /** Whether its columns are aligned to the right. */
  readonly isAtEnd: boolean;
  /** Whether its values are numbers, of which a column shows as many digits after the point as the page needs. */
  readonly isNumeric: boolean;
  /** Whether a value says something where it stands alone, without the name of its column. */
  readonly isOnCards: boolean;
  /** About what a cell shows of a value, which says how wide its column has to be. @param fraction of a column of numbers */
  cellText(value: unknown, fraction?: number): string;
  /** Whether the items of a file can be matched by it. */
  readonly isKey: boolean;
  /** Whether words that were typed to find an item may be in it. */
  readonly hasWords: boolean;
  /** Whether such words, when nothing is found, are likely what a new item is named. */
  readonly isName: boolean;
  /** Whether a change of its values is shown word by word. */
  readonly differsByWord: boolean;
  /** Whether its control needs no more than half of the width of a form. */
  readonly isShort: boolean;
  /** Whether its values are addresses of images. */
  readonly isImage?: true;
  /** Whether its values are texts of one line, as a heading is. */
  readonly isLine?: true;
  /** Whether its values are days. */
  readonly isDay?: true;
  /** Hint for a value for all items of a file that has no column for the field. @param ids whether the file names items by id */
  importHint(ids: boolean): string;
}

/** Members that most kinds have in common. */
export const plainKind = {
  formValue: shortText,
  payloadValue: (value: FormValue): unknown => (value === '' ? null : value),
  givenValue: (value: NewValues[string]): unknown => value,
  operators: ['CONTAINS', 'EQUALS'],
  isSortable: true,
  isAtEnd: false,
  isNumeric: false,
  isOnCards: false,
  cellText: shortText,
  isKey: false,
  hasWords: false,
  isName: false,
  differsByWord: false,
  isShort: false,
  importHint: () => 'The file has no column for this required field.',
} as const satisfies FieldKind;
