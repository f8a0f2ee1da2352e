/** Attributes of a link to an item in a document. */
export interface ItemLinkAttributes {
  readonly type: string;
  readonly id: string;
}

/** The name of the mark of texts that are links to items. */
export const itemLinkName = 'itemLink';

/** The attributes of a mark of a document; undefined for what no link to an item can have. */
export function itemLinkOf(attrs: Readonly<Record<string, unknown>> | undefined): ItemLinkAttributes | undefined {
  const { type, id } = attrs ?? {};
  if (typeof type !== 'string' || typeof id !== 'string' || !isItem(`${type}/${id}`)) return undefined;
  return { type, id };
}

/** Whether a text is the code of a type and the id of an item, with a slash between them. */
export function isItem(text: string): boolean {
  return /^[a-z][a-z0-9]*\/[1-9]\d{0,18}$/.test(text);
}
