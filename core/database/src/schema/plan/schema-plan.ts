import type { SchemaDifference } from '@gantry/contracts';

/** One statement that brings the database closer to the models. Steps add, or rename what a declaration names; none loses a value. */
export type SchemaStep =
  | RenameStep
  | ExtensionStep
  | TableStep
  | ColumnStep
  | IndexStep
  | ForeignKeyStep
  | SearchStep
  | ChangesStep
  | LinksStep
  | RowStep;

interface Step {
  /** Id of the plugin whose model asks for it; {@link platform} for what serves all. */
  readonly plugin: string;
  /** Empty for an extension. */
  readonly table: string;
  readonly statement: string;
}

export interface ExtensionStep extends Step {
  readonly kind: 'extension';
}

/** Gives what a declaration names in `renamedFrom` its name of today, or removes what is empty and has that name. */
export interface RenameStep extends Step {
  readonly kind: 'rename';
}

export interface TableStep extends Step {
  readonly kind: 'table';
}

export interface ColumnStep extends Step {
  readonly kind: 'column';
  readonly column: string;
}

export interface IndexStep extends Step {
  readonly kind: 'index';
  readonly name: string;
  readonly columns: readonly string[];
  /** Set where writers of the table must not wait for it. */
  readonly isConcurrent?: true;
}

export interface ForeignKeyStep extends Step {
  readonly kind: 'foreign-key';
  readonly name: string;
  readonly column: string;
  readonly referencedTable: string;
}

/** Makes the search table, or the triggers that keep the entries of one table in it. */
export interface SearchStep extends Step {
  readonly kind: 'search';
}

/** Makes the table of the change feed, or the triggers that write the changes of one table to it. */
export interface ChangesStep extends Step {
  readonly kind: 'changes';
  /** Plugins whose extra columns are added before; where one of them fails, the triggers are to be planned again. */
  readonly needs?: readonly string[];
}

/** Makes the trigger that keeps the links within the values of a field. */
export interface LinksStep extends Step {
  readonly kind: 'links';
}

/** Adds the row of a table that has exactly one. */
export interface RowStep extends Step {
  readonly kind: 'row';
}

/** Used instead of a plugin's id for the platform itself; an id never begins with an underscore. */
export const platform = '_platform';

/** Why the tables of a plugin are not as it needs them; the plugin cannot be linked. */
export interface SchemaFailure {
  readonly plugin: string;
  readonly code:
    | 'MIGRATION_FAILED'
    | 'MIGRATION_TIMED_OUT'
    | 'SCHEMA_TYPE_INVALID'
    | 'SCHEMA_COLUMN_RETYPED'
    | 'SCHEMA_COLUMN_LEFT'
    | 'SCHEMA_REFERENCE_CHANGED'
    | 'SCHEMA_NAME_TAKEN'
    | 'SCHEMA_RENAME_CONFLICT'
    | 'SCHEMA_NEWER'
    | 'SCHEMA_REFERENCE_MISSING'
    | 'SCHEMA_DUPLICATE_ROWS'
    | 'SCHEMA_SINGLETON_ROWS'
    | 'SCHEMA_ORPHAN_ROWS'
    | 'SCHEMA_NOT_PERMITTED'
    | 'SCHEMA_TABLE_BUSY'
    | 'SCHEMA_STEP_FAILED';
  readonly reason: string;
  readonly remedy: string;
}

/** A column that the database has and the model has not; it keeps its values and harms no one. */
export interface KeptColumn {
  readonly plugin: string;
  readonly table: string;
  readonly column: string;
}

/** An extra field of a plugin that is not there, whose values a table has. */
export interface LeftField {
  readonly table: string;
  readonly name: string;
  readonly column: string;
  /** Of the column, in PostgreSQL's own spelling. */
  readonly type: string;
}

/** A field that gets another name and keeps its column or table of links: the history and the rights get the name. */
export interface FieldRename {
  readonly plugin: string;
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** The result of comparing models and database. */
export interface SchemaPlan {
  /** In the order in which they are to run. */
  readonly steps: readonly SchemaStep[];
  /** A difference that is not fixed automatically, because that could lose or reject values. */
  readonly differences: readonly SchemaDifference[];
  readonly failures: readonly SchemaFailure[];
  readonly kept: readonly KeptColumn[];
  readonly leftFields: readonly LeftField[];
}
