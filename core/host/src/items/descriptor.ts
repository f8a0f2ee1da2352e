import type { Cardinality, CmsFieldType, NumberKind } from '@gantry/contracts';
import type { ItemTypeClass, SearchResultMapping } from '@gantry/plugin-api';

/** What a REFERENCE field points to. */
export interface ReferenceDescriptor {
  /** Type code of the target; empty where a policy hides that type. */
  readonly target: string;
  /** `<plugin id>.<ClassName>`, as the metadata shows it. */
  readonly qualifiedName: string;
  readonly cardinality: Cardinality;
  /** Only for MULTIPLE: table (item_id, target_id, position) that keeps the order. */
  readonly linkTable?: string;
}

/** One field of a type, compiled from its declaration. Deeply frozen. */
export interface FieldDescriptor {
  readonly name: string;
  readonly displayName: string;
  readonly type: CmsFieldType;
  /** Name of the entry in the registry of field kinds: `string`, `text`, `integer`, `long`, `decimal`, `double`, `boolean`, `reference`, `references`, `targetless`, `targetless-list`, `image`. */
  readonly kind: string;
  /** Column in the type's table; empty for a MULTIPLE reference, which has none. */
  readonly column: string;
  /** SQL type of the column, for example `VARCHAR(255)`; empty for a MULTIPLE reference. */
  readonly columnType: string;
  readonly required: boolean;
  readonly searchable: boolean;
  readonly editableOnUpdate: boolean;
  readonly placeholder: string;
  readonly options?: readonly string[];
  readonly default?: string | number | boolean;
  readonly help?: string;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  /** Blanks at the ends of its text are not stored: of a key, unless declared. */
  readonly trim?: boolean;
  readonly numberKind?: NumberKind;
  /** Digits in all and after the point, for `decimal`. */
  readonly precision?: number;
  readonly scale?: number;
  /** Absent for a REFERENCE without target, too. */
  readonly reference?: ReferenceDescriptor;
}

/** Everything the platform knows of an item type. Compiled once at start, deeply frozen. */
export interface ItemTypeDescriptor {
  /** Simple class name in lower case. */
  readonly code: string;
  readonly className: string;
  /** `<plugin id>.<ClassName>`. */
  readonly qualifiedName: string;
  readonly displayName: string;
  readonly plugin: string;
  /** Its display name. */
  readonly pluginName: string;
  readonly table: string;
  readonly readOnly: boolean;
  /** Declared fields: the class's own in the order declared, then inherited ones. */
  readonly fields: readonly FieldDescriptor[];
  /** Names of the fields shown as table columns, in order. */
  readonly columns: readonly string[];
  /** Sets of field names that are unique together. */
  readonly unique: readonly (readonly string[])[];
  /** Fields whose first non-null value is the picker label (specification 4.5); the id when there is none. */
  readonly labelFields: readonly string[];
  readonly searchResult: SearchResultMapping;
}

/** A descriptor and the model class behind it. */
export interface CompiledItemType {
  readonly descriptor: ItemTypeDescriptor;
  /** All of the type, where the descriptor is what a policy shows of it. */
  readonly stored?: ItemTypeDescriptor;
  readonly model: ItemTypeClass;
}
