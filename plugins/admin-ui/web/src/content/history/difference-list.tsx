import type { FormField, ItemMetadata } from '@gantry/contracts';
import { stringType } from '../kinds/string';
import { FieldDifference, FieldValue } from './field-difference';

/** How a field differs, as the platform or a change says it. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface DifferenceListProps {
  readonly metadata: ItemMetadata;
  readonly differences: readonly Difference[];
}

/** Every field that differs, in the order of the form. */
export function DifferenceList({ metadata, differences }: DifferenceListProps) {
  const fields = inOrder(metadata, differences);
  return (
    <dl className="difference-list">
      {fields.map(({ field, found: { before, after } }) => (
        <div key={field.name}>
          <dt>{field.displayName}</dt>
          <dd>
            <FieldDifference field={field} before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The values of a version, in the order of the form. */
export function ValueList({
  metadata,
  values,
}: {
  readonly metadata: ItemMetadata;
  readonly values: Readonly<Record<string, unknown>>;
}) {
  const given = Object.entries(values)
    .filter(([name]) => !writtenByPlatform.has(name))
    .map(([field, value]) => ({ field, value }));
  return (
    <dl className="difference-list">
      {inOrder(metadata, given).map(({ field, found: { value } }) => (
        <div key={field.name}>
          <dt>{field.displayName}</dt>
          <dd>
            <FieldValue field={field} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** In every version, and no field of the form. */
const writtenByPlatform: ReadonlySet<string> = new Set([
  ...['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'version'],
]);

/** The name of a field for a reader; its own one where the type does not have it any more. */
export function fieldLabel(metadata: ItemMetadata, name: string): string {
  return fieldOf(metadata, name).displayName;
}

function inOrder<T extends { readonly field: string }>(
  metadata: ItemMetadata,
  found: readonly T[],
): readonly { readonly field: FormField; readonly found: T }[] {
  const place = (name: string): number => {
    const index = metadata.fields.findIndex((field) => field.name === name);
    return index < 0 ? metadata.fields.length : index;
  };
  return found
    .toSorted((left, right) => place(left.field) - place(right.field))
    .map((one) => ({ field: fieldOf(metadata, one.field), found: one }));
}

/** A field that the type does not have any more is shown as text. */
function fieldOf({ fields }: ItemMetadata, name: string): FormField {
  return (
    fields.find((field) => field.name === name) ?? {
      name,
      displayName: name,
      type: stringType,
      required: false,
      editableOnUpdate: false,
      placeholder: '',
    }
  );
}
