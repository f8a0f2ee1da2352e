import type { FieldCondition, FieldWidth, ItemAction } from '@gantry/contracts';
import type { AttentionRule, ItemTypeClass, SearchResultMapping } from '@gantry/plugin-api';
import type { FieldKind } from '../kinds/field-kind';
import type { FieldRules } from '../kinds/field-rules';

/** One field of a type, compiled from its declaration. Deeply frozen. */
export interface FieldDescriptor extends FieldRules {
  /** All that the platform knows of such values; shared by all fields of the kind. */
  readonly kind: FieldKind;
  /** The tab of the form that has it. */
  readonly tab?: string;
  readonly width?: Exclude<FieldWidth, 'full'>;
  /** Forms show it while this holds. */
  readonly visibleIf?: FieldCondition;
  /** It needs a value while this holds and it is shown; `required` is false then. */
  readonly requiredIf?: FieldCondition;
  /** SQL condition over the alias `t` of the items on which a policy shows the field; absent where it is all that it shows. */
  readonly shownOn?: string;
  /** What it was called in earlier versions of the plugin. */
  readonly earlier?: readonly EarlierField[];
}

/** An earlier name of a field, with the column that its values had then. */
export interface EarlierField {
  readonly name: string;
  /** Empty for a MULTIPLE reference. */
  readonly column: string;
}

/**
 * The items that a policy shows and lets be changed, as SQL conditions over the alias `t`. What is absent is all items, as far
 * as the action is allowed at all.
 */
export interface RowRules {
  readonly read?: string;
  readonly export?: string;
  readonly delete?: string;
  /** Each field that is set needs one of them that has it, of which the new item meets the condition. */
  readonly create?: readonly RowRule[];
  /** The same, of which the item meets the condition before and after the change. */
  readonly update?: readonly RowRule[];
}

/** What a grant with conditions lets be set. */
export interface RowRule {
  readonly condition: string;
  /** All unless given. */
  readonly fields?: readonly string[];
}

/** Everything the platform knows of an item type. Compiled once at start, deeply frozen. */
export interface ItemTypeDescriptor {
  /** Simple class name in lower case. */
  readonly code: string;
  readonly className: string;
  /** `<plugin id>.<ClassName>`. */
  readonly qualifiedName: string;
  readonly displayName: string;
  /** What several of its items are called. */
  readonly displayNamePlural: string;
  /** Path data of its icon. */
  readonly icon?: string;
  readonly plugin: string;
  /** Its display name. */
  readonly pluginName: string;
  readonly table: string;
  readonly readOnly: boolean;
  /** Whether its items have `createdBy` and `updatedBy`: those that people write have, unless it declares such fields itself. */
  readonly hasAuthors: boolean;
  /** Set where a policy does not show them. */
  readonly hidesAuthors?: true;
  /** What a policy allows; absent where it allows everything. */
  readonly actions?: readonly ItemAction[];
  /** The items that a policy shows and lets be changed; absent where it is all of them. */
  readonly rows?: RowRules;
  /** Declared fields: the class's own in the order declared, then inherited ones. */
  readonly fields: readonly FieldDescriptor[];
  /** Names of the fields shown as table columns, in order. */
  readonly columns: readonly string[];
  /** Sets of field names that are unique together. */
  readonly unique: readonly (readonly string[])[];
  /** Lists of field names that are indexed together, in addition to the indexes of searchable fields. */
  readonly indexes: readonly (readonly string[])[];
  /** Fields whose first non-null value is the picker label (specification 4.5); the id when there is none. */
  readonly labelFields: readonly string[];
  readonly searchResult: SearchResultMapping;
  /** Field whose value heads the page of an item. */
  readonly heading?: string;
  /** Fields whose cells can be edited in the list. */
  readonly editableColumns: readonly string[];
  /** Items that need a person. */
  readonly attention: readonly AttentionRule[];
  /** Codes that the type had in earlier versions of the plugin. */
  readonly earlierCodes?: readonly string[];
}

/** A descriptor and the model class behind it. */
export interface CompiledItemType {
  readonly descriptor: ItemTypeDescriptor;
  /** All of the type, where the descriptor is what a policy shows of it. */
  readonly stored?: ItemTypeDescriptor;
  readonly model: ItemTypeClass;
}

/** Whether a policy does not show all items of the type. */
export function hidesItems({ rows }: Pick<ItemTypeDescriptor, 'rows'>): boolean {
  return rows?.read !== undefined;
}

/** Whether a policy shows the field and does not let it be set at all. */
export function isReadOnly({ editableOnCreate, editableOnUpdate }: FieldDescriptor): boolean {
  return editableOnCreate === false && !editableOnUpdate;
}

/** Whether the field refers to several items: its values are rows of a link table, and it has no column. */
export function isLinked({ reference }: Pick<FieldDescriptor, 'reference'>): boolean {
  return reference?.linkTable !== undefined;
}
