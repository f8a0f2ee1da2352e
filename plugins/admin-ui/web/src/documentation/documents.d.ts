declare module 'virtual:documents' {
  /** A document as it is shown; the build makes it from Markdown. */
  export interface Document {
    readonly title: string;
    readonly html: string;
    /** Those of the second level. */
    readonly headings: readonly { readonly id: string; readonly text: string }[];
  }

  export interface DocumentEntry {
    readonly name: string;
    readonly title: string;
    load(): Promise<{ readonly default: Document }>;
  }

  export const documentGroups: readonly {
    readonly label: string;
    readonly documents: readonly DocumentEntry[];
  }[];
}
