import { Text, Title } from '@mantine/core';
import type { ConditionResults, FieldWidth, FormField } from '@gantry/contracts';
import { memo, type ComponentProps } from 'react';
import type { FormValue } from '../../../api/items';
import { FieldControl } from './field-control';
import { LockedField } from './locked-field';
import type { LockedProps } from '../../kinds/field-view';
import { viewOfField } from '../../kinds/views';
import { matchesSearch, sectionsOf, widthOf, widthsOf } from './form-sections';
import { sourcesOf } from './form-values';
import type { useItemForm } from '../use-item-form';

export interface FieldsProps {
  readonly type: string;
  readonly fields: readonly FormField[];
  readonly form: ReturnType<typeof useItemForm>;
  /** Fields that do not match are left out of sight. */
  readonly search: string;
  /** Name of the field that names the item. */
  readonly head?: string | undefined;
}

/** The fields under the headings of their sections; a section of which no field is in sight is left out. */
export function Sections({ fields, ...props }: FieldsProps) {
  const { search, form } = props;
  return sectionsOf(fields).map(({ heading, fields: own }) => {
    if (heading === undefined) return <Fields key="" {...props} fields={own} />;
    const isHidden = own.every((field) => isOutOfSight(field, search, form));
    return (
      <section key={heading} className="form-section" aria-label={heading} hidden={isHidden}>
        <Title order={2} className="form-section-heading">
          {heading}
        </Title>
        <Fields {...props} fields={own} />
      </section>
    );
  });
}

/** By a search or by its condition; a field with a problem stays in sight. */
export function isOutOfSight(
  field: FormField,
  search: string,
  { problems, conditions }: Pick<FieldsProps['form'], 'problems' | 'conditions'>,
): boolean {
  if (problems.fields[field.name] !== undefined) return false;
  return !conditions.isVisible(field.name) || !matchesSearch(field, search);
}

export function Fields({ type, fields, form, search, head }: FieldsProps) {
  const { values, problems, conditions, base, set } = form;
  const changed = new Set(base === undefined ? [] : form.changed.map(({ name }) => name));
  const editable = new Set(form.fields);
  const widths = widthsOf(
    fields.filter((field) => !isOutOfSight(field, search, form)),
    head,
  );
  const rows = fields.map((field) =>
    editable.has(field) ? (
      <Field
        key={field.name}
        type={type}
        field={asRequired(field, conditions)}
        value={values[field.name] ?? ''}
        error={problems.fields[field.name]}
        problems={problems.parts[field.name]}
        sources={sourcesOf(field, values, base)}
        isChanged={changed.has(field.name)}
        former={base?.values[field.name]}
        isHidden={isOutOfSight(field, search, form)}
        isHead={field.name === head}
        width={widths.get(field.name)}
        onSet={set}
      />
    ) : (
      <div
        key={field.name}
        className="item-field"
        data-width={widths.get(field.name)}
        hidden={isOutOfSight(field, search, form)}
      >
        <LockedField field={field} value={base?.values[field.name]} reason={lockReason(field)} />
      </div>
    ),
  );
  return (
    <div className="field-grid">
      <div>{rows}</div>
    </div>
  );
}

/** Why a form has no control for a field of a stored item. */
function lockReason({ computed, readOnly }: FormField): string {
  if (computed === true) return 'Computed';
  return readOnly === true ? 'Read-only for your roles' : 'Set on create';
}

interface FieldProps extends Omit<ComponentProps<typeof FieldControl>, 'onChange'> {
  readonly isChanged: boolean;
  /** The value that is stored. */
  readonly former: unknown;
  /** Left out of sight; it stays what it is. */
  readonly isHidden: boolean;
  /** It names the item: its text is larger. */
  readonly isHead: boolean;
  /** Undefined out of sight. */
  readonly width: FieldWidth | undefined;
  onSet(name: string, value: FormValue): void;
}

/** Drawn again only when it changes: a form may have hundreds of fields, and every key changes one of them. */
const Field = memo(function Field({ isChanged, former, isHidden, isHead, width, onSet, ...props }: FieldProps) {
  const { field } = props;
  return (
    <div
      className="item-field"
      data-changed={isChanged || undefined}
      data-width={width}
      data-head={isHead || undefined}
      hidden={isHidden}
    >
      <FieldControl {...props} onChange={(value) => onSet(field.name, value)} />
      {isChanged && widthOf(field) !== 'full' ? <Former field={field} value={former} /> : null}
    </div>
  );
});

/** Former value of a changed field, if it is short. */
function Former({ field, value }: LockedProps) {
  const { Locked } = viewOfField(field);
  return (
    <Text size="sm" c="dimmed" component="div" className="former-value">
      Was <Locked field={field} value={value} />
    </Text>
  );
}

/** A field that its condition requires, as one that is required: one object for each, so that it is drawn again only when that changes. */
function asRequired(field: FormField, conditions: ConditionResults): FormField {
  if (!conditions.isRequired(field.name)) return field;
  const known = required.get(field);
  if (known !== undefined) return known;
  const marked = { ...field, required: true };
  required.set(field, marked);
  return marked;
}

const required = new WeakMap<FormField, FormField>();
