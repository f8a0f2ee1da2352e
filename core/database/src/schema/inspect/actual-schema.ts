/** A column as PostgreSQL describes it. */
export interface ActualColumn {
  readonly name: string;
  /** In PostgreSQL's own spelling (`format_type`), for example `character varying(255)`. */
  readonly type: string;
  readonly nullable: boolean;
  /** In PostgreSQL's own spelling (`pg_get_expr`). */
  readonly default?: string;
  /** An identity column, or one whose default takes the next value of a sequence. */
  readonly identity: boolean;
  /** Computed by the database from other columns. */
  readonly generated: boolean;
}

export interface ActualIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  readonly method: string;
  /** Column names, in order; an expression is null. */
  readonly columns: readonly (string | null)[];
  /** Operator class of every column; null for the default one of its type. */
  readonly operatorClasses: readonly (string | null)[];
  /** Most bytes of a value that has an entry, where that is the condition of the index. */
  readonly maxBytes?: number;
  /** Other conditions, included columns, descending order or NULLS NOT DISTINCT, which the platform never makes. */
  readonly special: boolean;
  /** False when a concurrent creation broke off. */
  readonly valid: boolean;
  /** Whether it belongs to a constraint, with which alone it is removed. */
  readonly ofConstraint: boolean;
}

export interface ActualForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly referencedTable: string;
  readonly referencedColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
  readonly validated: boolean;
}

export interface ActualTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, ActualColumn>;
  readonly primaryKey: readonly string[];
  /** By name, without the one of the primary key. */
  readonly indexes: ReadonlyMap<string, ActualIndex>;
  readonly foreignKeys: ReadonlyMap<string, ActualForeignKey>;
  /** Sources of the functions of the platform's enabled triggers, by the trigger's name. */
  readonly triggers: ReadonlyMap<string, string>;
}

/** Whether the extension pg_trgm can be used; its operator class is qualified with its schema. */
export type TrigramSupport =
  | { readonly status: 'installed'; readonly schema: string }
  | { readonly status: 'installable' }
  | { readonly status: 'unavailable'; readonly reason: string };

/** The wanted tables as the database has them, read in a handful of catalog queries. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ActualTable>;
  /** The kind of each relation that has the wanted name of a table or index, for example `a view`. */
  readonly relationKinds: ReadonlyMap<string, string>;
  readonly trigram: TrigramSupport;
  /** Whether the search table exists. */
  readonly hasSearch: boolean;
  /** Whether the table of the change feed exists. */
  readonly hasChanges: boolean;
}
