import type { Cardinality, CmsFieldType, DeletionRule, FieldHints, FormField, SearchField } from '@gantry/contracts';
import type { ModelAttributeColumnOptions } from 'sequelize';
import type { KindSettings } from './kind-settings';

/** The target of a REFERENCE field. @public */
export interface FieldReference {
  /** Type code of the target; empty where a policy hides that type. */
  readonly target: string;
  /** `<plugin id>.<ClassName>`, as the metadata shows it. */
  readonly qualifiedName: string;
  readonly cardinality: Cardinality;
  /** Only for MULTIPLE: table (item_id, target_id, position) that keeps the order. */
  readonly linkTable?: string;
  /** Column of the link table that has the target; `target_id` unless given. */
  readonly linkColumn?: string;
  /** The effect of a deletion of the target; absent where the deletion is refused. */
  readonly onDelete?: Exclude<DeletionRule, 'restrict'>;
}

/** The items that the values of a field may link to. @public */
export interface FieldLinks {
  /** Table (item_id, position, and a column for each target) that PostgreSQL fills from the values. */
  readonly table: string;
  readonly targets: readonly LinkTarget[];
  /** The effect of a deletion of the target; absent where the deletion is refused. Of links within other values, only `removeLink`. */
  readonly onDelete?: Exclude<DeletionRule, 'restrict'>;
}

/** A type that the values of a field may link to. @public */
export interface LinkTarget {
  /** Its type code. */
  readonly target: string;
  /** `<plugin id>.<ClassName>`. */
  readonly qualifiedName: string;
  /** Column of {@link FieldLinks.table}. */
  readonly column: string;
  /** The type codes that it had in earlier versions of its plugin, which values may have. */
  readonly earlierCodes: readonly string[];
  /** Set where a policy hides the type: it is not to be named. */
  readonly isHidden?: true;
}

/** A field as its kind sees it: what is declared of it, and its column. @public */
export interface KindField extends FieldHints {
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
  /** Digits in all and after the point, for decimals. */
  readonly precision?: number;
  readonly scale?: number;
  /** Absent for a REFERENCE without target, too. */
  readonly reference?: FieldReference;
  /** Set where the author declared `linkTargets`. */
  readonly links?: FieldLinks;
  /** Settings that the author declared for the kind alone. */
  readonly settings?: KindSettings;
}

/**
 * A value as it is bound to a statement, for example `'2026-03-01'` for a column of the type DATE. Numbers with more digits than
 * JavaScript keeps are text. JSON columns take the text of their JSON. A list is for link tables only.
 * @public
 */
export type StoredValue = string | number | boolean | null | readonly string[];

/**
 * The result of reading one value. `code` is the code of a detail of a validation error; `message` continues "<field> …".
 * @public
 */
export type ParsedValue<T = StoredValue> = { readonly ok: true; readonly value: T } | RefusedValue;

/** Why a value is not accepted. @public */
export interface RefusedValue {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  /** The problems within a value that has parts, of which `code` and `message` are the first; see {@link refusedWithin}. */
  readonly problems?: readonly ValueProblem[];
}

/** A problem of a part of a value. @public */
export interface ValueProblem {
  /** Where in the value, for example `[2].url`; it follows the name of the field. */
  readonly path: string;
  readonly code: string;
  /** Continues "<field><path> …". */
  readonly message: string;
}

/** A JSON Schema (draft 2020-12). @public */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A kind of field: how its values are stored, read from JSON, compared in searches, written as JSON and in files, and
 * described to clients. A plugin makes one with {@link defineFieldKind}; the kinds of the platform have the same interface.
 * @public
 */
export interface FieldKind extends KindSearching, KindStorage, KindFileText, KindDescription {
  /** Unique among all kinds, for people who look at a descriptor. */
  readonly name: string;
  /** The field type that clients see. */
  readonly type: CmsFieldType;
  /** True where the empty text, which forms send for nothing, is no value. */
  readonly isEmptyTextNone: boolean;
  /** Reads a non-null JSON value; {@link exactNumberText} reads its numbers. */
  parse(value: unknown, field: KindField): ParsedValue;
  /** Whether two values that are neither null nor identical are the same, such as 12.5 and 12.5000. */
  isSame(sent: StoredValue, stored: StoredValue): boolean;
  /** A value of TypeScript code as {@link parse} reads it. */
  fromModel(value: unknown): unknown;
  /** A non-null value of a presented row as TypeScript code has it. */
  toModel(value: unknown): unknown;
  /** How the value of a new item is made that is created without one; most kinds make none. */
  readonly derivation?: KindDerivation | undefined;
  /** Which items a value links to, for a kind whose fields can have `linkTargets`. */
  readonly links?: KindLinks | undefined;
  /** A non-null JSON value of the history (`to_jsonb` of the column) as rows have it. */
  fromHistory(value: unknown): unknown;
}

/**
 * How a kind makes the value of a new item from other values of the item. It is asked once, when the item is created without a
 * value: a later change of the other values leaves it as it is.
 * @public
 */
export interface KindDerivation {
  /** The fields that the value is made from; none for a field that gets no value by itself. */
  from(field: KindField): readonly string[];
  /**
   * @param values of these fields, null where there is none
   * @returns undefined for no value
   */
  derive(values: Readonly<Record<string, StoredValue>>, field: KindField): ParsedValue | undefined;
  /**
   * The value that is stored instead where `unique` of the type has the field and another item has the value; without it, the item is refused.
   * @param number from 2; the first that no item has is taken
   */
  alternative?(value: StoredValue, number: number, field: KindField): StoredValue;
}

/** A link to an item within a value. @public */
export interface ItemLink {
  /** Type code. */
  readonly type: string;
  /** A whole number from 1, of at most 64 bits. Files may have `key` instead. */
  readonly id?: string;
  /** In files that name items by keys: what a reference to the item would have. */
  readonly key?: unknown;
}

/**
 * How values of a kind link to items. The platform keeps the links of a field with `linkTargets` in a table with foreign keys, which
 * PostgreSQL fills whenever a value is written; so no item is deleted while a value links to it, and none is linked to that does not exist.
 * @public
 */
export interface KindLinks {
  /**
   * SQL of the links in a column: a JSONB array of objects `{ "type", "id" }`, each item once; NULL or an empty array for none. It must
   * name no function outside `pg_catalog`.
   */
  sql(column: string): string;
  /** The same of a value that {@link FieldKind.parse} gave. */
  find(value: StoredValue, field: KindField): readonly ItemLink[];
  /**
   * The JSON of a value, as rows and files have it, with other links. What is no link is left as it is.
   * @param replace gives the link that takes the place of one; undefined leaves its text alone
   */
  map(value: unknown, replace: (link: ItemLink) => ItemLink | undefined): unknown;
  /** Set where a value is a link, or a list of links, and nothing else: rows have `{ type, id, label }` of each. */
  readonly rows?: 'one' | 'list';
}

/** How values are compared. @public */
export interface KindSearching {
  /** True where CONTAINS behaves as EQUALS (specification 4.4). */
  readonly exact: boolean;
  /** True where only EQUALS has a meaning, so that MORE_THAN and LESS_THAN behave as EQUALS too. */
  readonly unordered: boolean;
  /** Whether PostgreSQL has an order, and so an equality, for values of the column; lists can be sorted by them. */
  readonly isSortable: boolean;
  /**
   * Which indexes a searchable field of this kind gets. With `members`, the values are JSONB, and conditions of the form
   * `column @> …` use it.
   */
  readonly index: 'trigram' | 'order' | 'members' | 'none';
  /** Whether its values are free text, of any length: cut in cursors, and made safe for programs that calculate. */
  readonly isText: boolean;
  /** Whether its values are addresses of files: who reads an item with an address may read the file. An index finds the items. */
  readonly isFileAddress: boolean;
  /** @deprecated Ignored: the host compares PostgreSQL's statistics by the type of the column. */
  readonly statistics?: 'number' | 'text' | 'none';
  /** Operators in addition to the four of the specification; one of those four replaces it. */
  readonly operators: Readonly<Record<string, KindOperator>>;
  /** Reads a criterion's text. */
  convert(text: string, field: KindField): ParsedValue<string | boolean>;
  /** SQL that casts a parameter or text constant for comparison with the column of the field, for example `$1::bigint`. */
  cast(value: string, field: KindField): string;
}

/** How values are stored. @public */
export interface KindStorage {
  /** SQL type of many values as one array parameter, for example `bigint[]`; PostgreSQL casts to the column's own type. */
  readonly arrayType: string;
  /** The type of the model's attribute, for a column that the author did not declare. */
  modelType(field: KindField): ModelAttributeColumnOptions['type'];
  /** SQL text expression that gives the column's JSON, NULL where the column is NULL. */
  json(column: string): string;
}

/** The form of a value in files that are imported and exported. References are named by keys, which transfer knows. @public */
export interface KindFileText {
  /** A non-empty cell of a CSV file as {@link FieldKind.parse} reads it; what it cannot read is left to that. */
  fromCell(text: string): unknown;
  /** A non-null value of a JSON file as {@link FieldKind.parse} reads it. */
  fromFileJson(value: unknown): unknown;
  /** The cell of a CSV file for what PostgreSQL gives as the text of the column. */
  toCell(text: string): string;
  /** The JSON of that text. */
  toFileJson(text: string): string;
}

/** How clients see values. @public */
export interface KindDescription {
  /** Whether a value can be part of the picker label, depending on the field's name (specification 4.5). */
  readonly isLabel: boolean;
  /** Whether lists show the field unless the type declares its columns. */
  readonly isListed: boolean;
  /** The TypeScript type of a value in a row, for a generated client, for example `string`. */
  readonly clientType: string;
  /** Members of the metadata beyond those of every field. */
  formMembers(field: KindField): Partial<FormField>;
  searchMembers(field: KindField): Partial<SearchField>;
  /** JSON Schema of the value as {@link FieldKind.parse} accepts it, without null. */
  jsonSchema(field: KindField): JsonSchema;
  /** JSON Schema of the value in a row. Nothing is promised about its length or range: a row may be older than a rule. */
  rowSchema(field: KindField): JsonSchema;
  /** Sentences about the value in a payload. */
  describe(field: KindField): readonly string[];
  /** A value that is known to be accepted, for a field without options and default; undefined where none is needed. */
  example(field: KindField): unknown;
}

/** An operator of search criteria that a kind of field has in addition to those of the specification. @public */
export interface KindOperator {
  /** Reads the text of a criterion and gives the condition; the text is neither blank nor longer than 100,000 characters. */
  bind(text: string, field: KindField, kind: FieldKind): ParsedValue<BoundOperand>;
}

/** A value to compare with, and how. @public */
export interface BoundOperand {
  /** Bound as text or boolean; undefined for a condition that needs no value. */
  readonly value?: string | boolean;
  /**
   * SQL of the condition.
   * @param column SQL of the column
   * @param parameter SQL of the value; to be cast
   */
  condition(column: string, parameter: string): string;
  /** The condition must not hold; so it is also met where there is no value. */
  readonly isNegated?: true;
  /** Says which of several conditions of the operator it is. Condition and `isNegated` depend on nothing else. */
  readonly variant?: string;
}
