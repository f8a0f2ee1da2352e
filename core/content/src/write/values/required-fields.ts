import {
  describeCondition,
  evaluateConditions,
  fieldsDecidingOn,
  hasNoValue,
  type ErrorDetail,
} from '@gantry/contracts';
import type { FieldDescriptor, ItemTypeDescriptor } from '../../compile/descriptor';
import { alwaysRequired } from '../../compile/field-conditions';
import type { JsonObject } from '@gantry/core-common';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { isBlankText } from '../../kinds/text-characters';

/** A write, with the values that the item has afterwards. */
interface Given {
  readonly values: StoredValues;
  readonly problems: readonly ErrorDetail[];
  /** The members that were sent. */
  readonly payload: JsonObject;
  /** Fields that get their values later. */
  readonly waiting?: ReadonlySet<string>;
}

interface MissingValue {
  readonly field: FieldDescriptor;
  readonly detail: ErrorDetail;
}

/** The fields that lack a value which their `requiredIf` asks for. What depends on a value that is wrong is not asked yet. */
export function missingByCondition(
  fields: readonly FieldDescriptor[],
  { values, problems, payload, waiting }: Given,
): readonly MissingValue[] {
  const conditional = fields.filter(({ requiredIf }) => requiredIf !== undefined);
  if (conditional.length === 0) return [];
  const results = evaluateConditions(fields, (name) =>
    waiting?.has(name) === true ? true : valueOf(values.get(name)),
  );
  const wrong = new Set(problems.map(({ path }) => /^[^.[]*/.exec(path)?.[0] ?? path));
  return conditional.flatMap((field) => {
    if (!results.isRequired(field.name) || waiting?.has(field.name) === true) return [];
    if ([field.name, ...fieldsDecidingOn(field, fields)].some((name) => wrong.has(name))) return [];
    const isMissing = isWithoutValue(values.get(field.name), field) || isRefusedWhereRequired(payload, field);
    return isMissing ? [{ field, detail: missingValue(field) }] : [];
  });
}

/** A condition that always holds is one of which the caller may not see the fields. */
function missingValue({ name, requiredIf = alwaysRequired }: FieldDescriptor): ErrorDetail {
  const reason = describeCondition(requiredIf);
  return { path: name, code: 'REQUIRED', message: `${name} is required${reason === '' ? '' : ` if ${reason}`}` };
}

/** JSON columns take the text of their JSON; an item that is read has the value itself. */
function isWithoutValue(value: StoredValue | undefined, { columnType }: FieldDescriptor): boolean {
  return (
    hasNoValue(value) ||
    (typeof value === 'string' && isBlankText(value)) ||
    (/^json/i.test(columnType) && (value === '[]' || value === '{}'))
  );
}

/** A kind may know values that say nothing, such as a document without text. */
function isRefusedWhereRequired(payload: JsonObject, field: FieldDescriptor): boolean {
  if (!Object.hasOwn(payload, field.name)) return false;
  return !field.kind.parse(payload[field.name], { ...field, required: true }).ok;
}

function valueOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

/** Names of fields, or their values by name. */
type ChangedFields = Pick<ReadonlySet<string>, 'has'>;

/** Which fields a policy shows of the item. */
interface ShownFields {
  shows(field: string): boolean;
}

/** The fields whose values decide on whether the change of some fields leaves another one missing, themselves included. */
export function fieldsToCheck(
  type: ItemTypeDescriptor,
  rights: ShownFields | undefined,
  sent: ChangedFields,
): readonly string[] {
  return concerned(type, rights, sent).flatMap((field) => [field.name, ...fieldsDecidingOn(field, type.fields)]);
}

/** Conditional fields that the change is about: the others are as they were, also where they lack a value. */
function concerned(
  { fields }: ItemTypeDescriptor,
  rights: ShownFields | undefined,
  changed: ChangedFields,
): readonly FieldDescriptor[] {
  return fields.filter(
    (field) =>
      field.requiredIf !== undefined &&
      (rights === undefined || rights.shows(field.name)) &&
      [field.name, ...fieldsDecidingOn(field, fields)].some((name) => changed.has(name)),
  );
}

/**
 * The problems of an update that leaves a field without a value that its condition then asks for.
 * @param given with the values that really change
 */
export function missingAfterChange(
  type: ItemTypeDescriptor,
  rights: ShownFields | undefined,
  { current, values: changed, ...given }: Given & { readonly current: StoredValues },
): readonly ErrorDetail[] {
  const set = new Set([...changed.keys(), ...(given.waiting ?? [])]);
  const names = new Set(concerned(type, rights, set).map(({ name }) => name));
  if (names.size === 0) return [];
  const found = missingByCondition(type.fields, { ...given, values: new Map([...current, ...changed]) });
  return found.filter(({ field }) => names.has(field.name)).map(({ detail }) => detail);
}
