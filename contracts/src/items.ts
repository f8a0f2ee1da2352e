import type { FieldCondition } from './field-conditions';

/** Actions on items of a type. @public */
export const itemActions = ['read', 'create', 'update', 'delete', 'import', 'export'] as const;
/** One of {@link itemActions}. @public */
export type ItemAction = (typeof itemActions)[number];

/** The six field types of the content administration specification, section 2. @public */
export const fieldTypes = ['STRING', 'TEXT', 'NUMBER', 'BOOLEAN', 'REFERENCE', 'IMAGE'] as const;

/** Field types in addition to those of the specification. Plugins bring more, which are named `<plugin id>.<Name>`. @public */
export const furtherFieldTypes = ['DATE', 'DATETIME', 'TIME', 'ENUM', 'LINK'] as const;

/** The name of a field type that a plugin brings, for example `geo.Point`. @public */
export type QualifiedFieldType = `${string}.${string}`;

/** One of {@link fieldTypes} or {@link furtherFieldTypes}, or one that a plugin brings. @public */
export type CmsFieldType = (typeof fieldTypes)[number] | (typeof furtherFieldTypes)[number] | QualifiedFieldType;

/** Whether a REFERENCE field holds one item or several in order. @public */
export type Cardinality = 'SINGLE' | 'MULTIPLE';

/**
 * The effect on an item when one that it refers to is deleted: the deletion is refused, the reference is emptied, the entry of the
 * list is removed, or the item is deleted too.
 * @public
 */
export const deletionRules = ['restrict', 'setNull', 'removeLink', 'cascade'] as const;
/** One of {@link deletionRules}. @public */
export type DeletionRule = (typeof deletionRules)[number];

/** How a search criterion compares (specification, section 4). @public */
export const operators = ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN'] as const;

/** Operators in addition to those of the specification; the metadata of a search field says which it has. @public */
export const furtherOperators = ['NOT_EQUALS', 'IN', 'EMPTY', 'STARTS_WITH', 'BETWEEN', 'BEFORE', 'AFTER'] as const;

/** One of {@link operators} or {@link furtherOperators}. @public */
export type Operator = (typeof operators)[number] | (typeof furtherOperators)[number];

/** An {@link Operator}, or one that a field kind of a plugin brings, such as `WITHIN`. @public */
export type OperatorName = Operator | (string & {});

/** ModelInfoDTO: one entry of the type list. @public */
export interface ModelInfo {
  readonly type: string;
  readonly displayName: string;
  /** The name of several items (additive). */
  readonly displayNamePlural: string;
  /** Id of the plugin that contributes the type (additive). */
  readonly plugin: string;
  /** The display name of that plugin (additive). */
  readonly pluginName: string;
  /** True for a type that the content endpoints only read (additive). */
  readonly readOnly: boolean;
  /** True for a type with exactly one item, which cannot be deleted (additive). */
  readonly singleton?: true;
  /** The field whose value heads the page of an item (additive); absent where the type declares none. */
  readonly heading?: string;
  /** The field of labels that the type declares (additive); absent where the specification says which it is (4.5). */
  readonly labelField?: string;
  /** Actions of the caller on its items (additive); absent where everything is allowed. */
  readonly actions?: readonly ItemAction[];
  /** Path data of its icon, strokes on a grid of 24 by 24 (additive); absent where the type declares none. */
  readonly icon?: string;
}

/** A column of the item table. @public */
export interface Column {
  readonly name: string;
  readonly displayName: string;
  readonly type: CmsFieldType;
  readonly order: number;
}

/** The stored form of a number field; decides conversion, range and digits. @public */
export type NumberKind = 'integer' | 'long' | 'decimal' | 'double';

/** Colours of the badges of choices; pages know how each looks in light and dark. @public */
export const optionColors = ['gray', 'blue', 'green', 'yellow', 'red'] as const;
/** One of {@link optionColors}. @public */
export type OptionColor = (typeof optionColors)[number];

/** How much of the width of a form a field takes; in a narrow form, each takes all of it. @public */
export const fieldWidths = ['full', 'half', 'third'] as const;
/** One of {@link fieldWidths}. @public */
export type FieldWidth = (typeof fieldWidths)[number];

/** Format of the text of a field; text without one is plain. @public */
export const textFormats = ['markdown'] as const;
/** One of {@link textFormats}. @public */
export type TextFormat = (typeof textFormats)[number];

/** Additive members that form and search fields may carry. @public */
export interface FieldHints {
  readonly options?: readonly string[];
  /** Colours of options; gray for one without. */
  readonly optionColors?: Readonly<Record<string, OptionColor>>;
  /** Labels of options; the option itself for one without. */
  readonly optionLabels?: Readonly<Record<string, string>>;
  /** Set where a value is a list of options. */
  readonly multiple?: true;
  readonly help?: string;
  /** Heading of the form section that has the field. */
  readonly section?: string;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly pattern?: string;
  readonly default?: string | number | boolean;
  readonly numberKind?: NumberKind;
}

/** A form field of the item metadata. @public */
export interface FormField extends FieldHints {
  readonly name: string;
  readonly displayName: string;
  readonly type: CmsFieldType;
  readonly required: boolean;
  readonly editableOnUpdate: boolean;
  /** Set for a field that the caller may not set on create (additive). */
  readonly editableOnCreate?: false;
  /** Set for a field that the caller may not set, neither on create nor on update (additive). */
  readonly readOnly?: true;
  readonly placeholder: string;
  readonly reference?: string;
  readonly referenceCardinality?: Cardinality;
  /** Codes of the types that a LINK may refer to (additive). */
  readonly linkTargets?: readonly string[];
  /** The effect of a deletion of the target, or of an item that its value links to (additive); absent where the deletion is refused. */
  readonly onDelete?: Exclude<DeletionRule, 'restrict'>;
  /** The tab of the form that has the field (additive); one without is above the tabs. */
  readonly tab?: string;
  /** How much of the width of the form it takes (additive); where absent, half of it for short values, else all. */
  readonly width?: FieldWidth;
  /** Format of its text (additive); plain text where it is absent. */
  readonly format?: TextFormat;
  /** The field is shown in forms while this holds (additive); it keeps its value. */
  readonly visibleIf?: FieldCondition;
  /** A value is required while this holds and the field is shown (additive); never where `required` is true. */
  readonly requiredIf?: FieldCondition;
  /** The JSON type of a value of a field kind of a plugin (additive); text where it is absent. */
  readonly valueType?: 'string' | 'number' | 'boolean' | 'object' | 'array';
  /** The fields that its value is made from where a new item has none (additive). */
  readonly derivedFrom?: readonly string[];
  /** Set for a field whose value the platform computes; a write cannot set it (additive). */
  readonly computed?: true;
  /** The members of each entry of a list, in the order of the form (additive). */
  readonly fields?: readonly FormField[];
  /** Entries of the list at least and at most (additive). */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Parts of a structured document (additive); its pages edit it as such. */
  readonly document?: DocumentRules;
  /** Set where a value is the address of an uploaded file, of a field kind that a plugin brings (additive). */
  readonly file?: FileRules;
  /** Set where a value is a point of an image, of a field kind that a plugin brings (additive). */
  readonly focalPoint?: FocalPointRules;
}

/** Where the files of a field are uploaded, and which it takes. @public */
export interface FileRules {
  /** Path that takes the bytes of a file; the query parameter `name` has its name. */
  readonly upload: string;
  /** Endings of names, such as `.pdf`; any unless given. */
  readonly accept?: readonly string[];
  readonly maxBytes?: number;
}

/** The image of which the values of a field are points. @public */
export interface FocalPointRules {
  /** The field that has the address of the image. */
  readonly image?: string;
}

/** Parts of a structured document of a field. @public */
export interface DocumentRules {
  /** Types of its blocks, such as `paragraph` and `bulletList`. */
  readonly nodes: readonly string[];
  /** Types of marks of its texts, such as `bold` and `link`. */
  readonly marks: readonly string[];
  readonly headingLevels: readonly number[];
  /** Type codes of the items that its texts may link to by the mark `itemLink`. */
  readonly links?: readonly string[];
}

/** A search input; `type` is the field type in lower case. @public */
export interface SearchField extends FieldHints {
  readonly name: string;
  readonly displayName: string;
  readonly type: Lowercase<CmsFieldType>;
  readonly reference?: string;
  /** Codes of the types that a LINK may refer to (additive). */
  readonly linkTargets?: readonly string[];
  /** Operators of the field (additive); a field type of a plugin may have further ones. */
  readonly operators?: readonly string[];
}

/** ItemMetadataDTO. @public */
export interface ItemMetadata {
  readonly code: string;
  readonly displayName: string;
  /** The name of several items (additive). */
  readonly displayNamePlural: string;
  readonly columnShown: readonly Column[];
  readonly searchable: readonly SearchField[];
  readonly fields: readonly FormField[];
  /** Field whose value heads the page of an item (additive); absent where the type declares none. */
  readonly heading?: string;
  /** The field of labels that the type declares (additive); absent where the specification says which it is (4.5). */
  readonly labelField?: string;
  /** Fields whose cells can be edited in the list (additive); absent where the type declares none. */
  readonly editableColumns?: readonly string[];
  readonly readOnly: boolean;
  /** True for a type with exactly one item, which cannot be deleted (additive). */
  readonly singleton?: true;
  /** Actions of the caller on its items (additive); absent where everything is allowed. */
  readonly actions?: readonly ItemAction[];
}

/** CmsRowDTO. @public */
export interface Row {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The items that refer to one item through one field (additive). @public */
export interface ItemReferences {
  /** Code of the type that has the field. */
  readonly type: string;
  readonly displayName: string;
  readonly field: string;
  readonly fieldDisplayName: string;
  /** The effect of a deletion of the item on them (additive); absent where the deletion is refused. */
  readonly onDelete?: Exclude<DeletionRule, 'restrict'>;
  /** At most 1,000. */
  readonly count: number;
  /** There are more than were counted. */
  readonly isCapped: boolean;
  /** The first items. Ids are text, which keeps all digits. */
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

/** The effect of a deletion on other items of a type, by the `onDelete` of their references (additive). @public */
export interface DeletionEffect {
  /** Code of the type. */
  readonly type: string;
  readonly displayName: string;
  readonly displayNamePlural: string;
  readonly action: 'delete' | 'update';
  readonly count: number;
  /** The first items. Ids are text, which keeps all digits. */
  readonly items: readonly { readonly id: string; readonly label: string }[];
}

/** The effect of a deletion on other items, and its confirmation (additive). @public */
export interface DeletionPlan {
  /** Sent as `confirm`, deletes unless more items are concerned by then, for example `product.delete=12,article.update=3`. */
  readonly confirm: string;
  readonly effects: readonly DeletionEffect[];
}

/** ItemSearchResultDTO. @public */
export interface SearchResult {
  readonly id: number;
  readonly label: string;
  readonly subLabel: string;
}

/** One search criterion; `value` is always sent as text. @public */
export interface Criterion {
  readonly field: string;
  readonly operator: OperatorName;
  readonly value: string;
}

/** Criteria of which one, or all, must hold; at most three levels deep. @public */
export type CriterionGroup =
  | { readonly any: readonly (Criterion | CriterionGroup)[] }
  | { readonly all: readonly (Criterion | CriterionGroup)[] };

/** An item that the search across types has found. @public */
export interface SearchHit {
  readonly id: number;
  readonly label: string;
  /** The code by which people look the item up, when its label is another text. */
  readonly code?: string;
  /** The first image of the item, as its field has it. */
  readonly image?: string;
}

/** The first items of a type that a search across types has found. @public */
export interface SearchGroup {
  readonly type: string;
  readonly displayName: string;
  readonly displayNamePlural: string;
  readonly items: readonly SearchHit[];
  /** True if the type has more matching items. */
  readonly isMore: boolean;
}
