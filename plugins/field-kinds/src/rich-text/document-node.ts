/** The attributes of a link to an item: a type code and an id in decimal notation, which as a number of JSON could lose digits. */
export interface LinkedItem {
  readonly type: string;
  readonly id: string;
}

/** A node of a document that was read: it has no members that are not known. */
export interface DocumentNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, number>>;
  readonly content?: readonly DocumentNode[];
  readonly text?: string;
  readonly marks?: readonly DocumentMark[];
}

/** A value of the kind RichText. */
export interface RichTextDocument extends DocumentNode {
  readonly type: 'doc';
}

/** A mark of a text. */
export interface DocumentMark {
  readonly type: string;
  readonly attrs?: { readonly href: string } | LinkedItem;
}
