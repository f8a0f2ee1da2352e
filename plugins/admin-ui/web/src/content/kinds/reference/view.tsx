import { referencesIn } from '../../../api/items';
import { QuickLink } from '../../../ui/page/quick-link';
import { shortText } from '../../../api/label';
import { ReferenceLink } from '../../reference/reference-link';
import { targetType } from '../../target-type';
import type { CellProps, FieldView, LockedProps } from '../field-view';
import { PlainLocked } from '../plain-views';
import { ReferenceControl } from './control';
import { ReferenceFilter, ReferenceFilterText } from './filter';

export const fieldView: FieldView = {
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
  const links = referencesIn(value).map(({ id, label }) => ({ to: `/content/${target}/${id}`, label }));
  return <CellLinks links={links} />;
}

interface CellLink {
  /** Undefined for an item that cannot be opened. */
  readonly to: string | undefined;
  readonly label: string;
}

/** The first of the items that a cell refers to. */
export function CellLinks({ links }: { readonly links: readonly CellLink[] }) {
  const shown = links.slice(0, 3);
  return (
    <>
      {shown.map(({ to, label }, index) => (
        <span key={to ?? index}>
          {index === 0 ? '' : ', '}
          {to === undefined ? (
            label
          ) : (
            <QuickLink className="cell-link" to={to}>
              <bdi>{label.slice(0, 80)}</bdi>
            </QuickLink>
          )}
        </span>
      ))}
      {links.length > shown.length ? ` and ${links.length - shown.length} more` : null}
    </>
  );
}
