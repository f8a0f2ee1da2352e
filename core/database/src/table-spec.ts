/** A column as the database should have it. */
export interface ColumnSpec {
  readonly name: string;
  /** SQL type as one would write it, for example `VARCHAR(255)`, `NUMERIC(19,4)`, `TIMESTAMPTZ(3)`. */
  readonly type: string;
  readonly nullable: boolean;
  /** SQL expression. */
  readonly default?: string;
  readonly identity?: boolean;
  /** Set where PostgreSQL computes the values, which are stored. */
  readonly generated?: GeneratedSpec;
  /** Names that the column had in earlier versions of the plugin. */
  readonly renamedFrom?: readonly string[];
  /** Set for a reference to one item: the link tables that have its values where it referred to several in an earlier version. */
  readonly linkTables?: readonly string[];
}

/** How PostgreSQL computes the values of a column. */
export interface GeneratedSpec {
  /** SQL expression over other columns of the table. */
  readonly expression: string;
  /** The columns that it may read. */
  readonly from: readonly Pick<ColumnSpec, 'name' | 'type'>[];
}

export interface IndexSpec {
  readonly name: string;
  /** Column names, in order. */
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method: 'btree' | 'gin';
  /** Operator class of every column, for example `gin_trgm_ops`. */
  readonly operatorClass?: string;
  /** Longer values of its one column have no entry, so that they can be stored all the same. Set for btree on text. */
  readonly maxBytes?: number;
}

export interface ForeignKeySpec {
  readonly name: string;
  readonly column: string;
  /** Its primary key `id` is referred to. */
  readonly referencedTable: string;
  readonly onDelete: 'RESTRICT' | 'CASCADE';
}

/** How the items of a table are found by a search across tables. */
export interface SearchSpec {
  /** Columns whose texts are the label of an item, the first one first. */
  readonly label: readonly string[];
  /** The column that people look an item up by. */
  readonly code?: string;
}

/** A field whose values the change feed keeps. */
export interface ChangedField {
  readonly name: string;
  /** Column of the item's table; empty where a link table has the values. */
  readonly column: string;
  /** Set where PostgreSQL has no equality for the type of the column, so that its text is compared. */
  readonly isComparedAsText?: true;
  /** Table of a MULTIPLE reference: item_id, target_id, position. */
  readonly linkTable?: string;
  /** The table that a reference refers to, so that changes keep the label of the row. */
  readonly target?: ChangedTarget;
}

export interface ChangedTarget {
  readonly table: string;
  /** Whether its code is its label, not one of the other label fields. */
  readonly isCodeFirst: boolean;
}

/** The fields of an item that the change feed keeps. What is not named, such as private columns, never enters it. */
export interface ChangeSpec {
  readonly fields: readonly ChangedField[];
  /** Columns that PostgreSQL computes, or a plugin maintains, where there are such: their values are no changes. */
  readonly generated?: readonly string[];
}

/** The MULTIPLE reference that a link table has the values of. */
export interface LinkSpec extends Pick<ChangedField, 'name' | 'target'> {
  readonly itemTable: string;
  /** Columns of the items that have the values where the reference was to one item in an earlier version. */
  readonly itemColumns?: readonly string[];
}

/** The links within the values of a field, which a table of links has. */
export interface ItemLinksSpec {
  readonly itemTable: string;
  /** Column of the values. */
  readonly column: string;
  /** SQL of the links, a JSONB array of `{ "type", "id" }` or NULL: of the new and the old row of a trigger, and of a row named `i`. */
  readonly ofNew: string;
  readonly ofOld: string;
  readonly ofRow: string;
  readonly targets: readonly LinkColumn[];
}

/** The column of a table of links that has the links to the items of one table. */
export interface LinkColumn {
  readonly column: string;
  /** The codes by which links name the type of these items. */
  readonly codes: readonly string[];
  readonly table: string;
}

/** Names of an item type and its fields in earlier versions of the plugin; set where there are such names. */
export interface EarlierNames {
  readonly code: string;
  readonly earlierCodes: readonly string[];
  /** Fields that had other names. */
  readonly fields: readonly EarlierFieldNames[];
}

export interface EarlierFieldNames {
  readonly name: string;
  readonly earlier: readonly {
    readonly name: string;
    /** The column, or the link tables of a MULTIPLE reference, that had the values under this name. */
    readonly storedIn: readonly string[];
  }[];
}

/** A table as the enabled plugins' descriptors want it. Names are at most 63 bytes, unquoted. */
export interface TableSpec {
  /** Id of the plugin that owns the table, or the extra columns. */
  readonly plugin: string;
  readonly name: string;
  /** Set for columns, indexes and fields that the plugin adds to a table of another plugin, which has this name. */
  readonly isExtra?: true;
  readonly columns: readonly ColumnSpec[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly IndexSpec[];
  readonly foreignKeys: readonly ForeignKeySpec[];
  /** Set where the table has exactly one row, which begins with the defaults of its columns. */
  readonly singleton?: true;
  /** Set for tables of items. */
  readonly search?: SearchSpec;
  /** Set for tables of items. */
  readonly changes?: ChangeSpec;
  /** Set for link tables. */
  readonly links?: LinkSpec;
  /** Set for tables of the links within values. */
  readonly itemLinks?: ItemLinksSpec;
  /** Names that the table had in earlier versions of the plugin. */
  readonly renamedFrom?: readonly string[];
  /** Set for tables of items. */
  readonly earlier?: EarlierNames;
}
