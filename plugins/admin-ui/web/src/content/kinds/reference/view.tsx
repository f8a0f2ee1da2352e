import { referencesIn } from '../../../api/items';
import { QuickLink } from '../../../ui/page/quick-link';
import { shortText } from '../../../api/label';
import { ReferenceLink } from '../../reference/reference-link';
import { targetType } from '../../target-type';
import type { CellProps, FieldView, LockedProps } from '../field-view';
import { PlainLocked } from '../plain-views';
import { ReferenceControl } from './control';
import { ReferenceFilter, ReferenceFilterText } from './filter';

export const referenceView: FieldView = {
  type: 'REFERENCE',
  Control: ReferenceControl,
  Locked: LockedReferences,
  Cell: ReferenceCell,
  Filter: ReferenceFilter,
  FilterText: ReferenceFilterText,
};

function LockedReferences({ field, value }: LockedProps) {
  const references = referencesIn(value);
  const target = targetType(field.reference);
  if (target === undefined || references.length === 0) return <PlainLocked field={field} value={value} />;
  return references.map(({ id, label }, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      <ReferenceLink target={target} id={id} label={label} field={field.name} />
    </span>
  ));
}

function ReferenceCell({ column, item, metadata }: CellProps) {
  const value = item.values[column.name];
  const target = targetType(metadata.fields.find(({ name }) => name === column.name)?.reference);
  if (target === undefined) return shortText(value);
  const references = referencesIn(value);
  const shown = references.slice(0, 3);
  return (
    <>
      {shown.map(({ id, label }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <QuickLink className="cell-link" to={`/content/${target}/${id}`}>
            <bdi>{label.slice(0, 80)}</bdi>
          </QuickLink>
        </span>
      ))}
      {references.length > shown.length ? ` and ${references.length - shown.length} more` : null}
    </>
  );
}
