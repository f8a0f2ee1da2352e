import type { Cardinality, CmsFieldType, FieldHints } from '@gantry/contracts';

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

/** What is declared of one field, and its column. */
export interface FieldRules extends FieldHints {
  readonly name: string;
  readonly displayName: string;
  readonly type: CmsFieldType;
  /** Column in the type's table; empty for a MULTIPLE reference, which has none. */
  readonly column: string;
  /** SQL type of the column, for example `VARCHAR(255)`; empty for a MULTIPLE reference. */
  readonly columnType: string;
  readonly required: boolean;
  readonly searchable: boolean;
  readonly editableOnUpdate: boolean;
  /** Set where a policy shows the field and does not let it be set on create. */
  readonly editableOnCreate?: false;
  readonly placeholder: string;
  /** Blanks at the ends of its text are not stored: of a key, unless declared. */
  readonly trim?: boolean;
  /** Digits in all and after the point, for `decimal`. */
  readonly precision?: number;
  readonly scale?: number;
  /** Absent for a REFERENCE without target, too. */
  readonly reference?: ReferenceDescriptor;
}
