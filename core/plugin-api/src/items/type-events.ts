/** An item type that has another code or fields with other names than before. @public */
export interface RenamedItemType {
  /** Its code now. */
  readonly type: string;
  /** Its code before; absent where only fields were renamed. */
  readonly earlierType?: string;
  /** Names of fields. */
  readonly fields: readonly { readonly from: string; readonly to: string }[];
}

/** Something happened to item types by whose names others may store something. @public */
export type TypeEvent =
  | {
      readonly kind: 'renamed';
      /** Id of the plugin of the types. */
      readonly plugin: string;
      readonly types: readonly RenamedItemType[];
    }
  | {
      /** All items of a plugin were deleted, and the rights on them. */
      readonly kind: 'purged';
      readonly plugin: string;
      /** Codes of its item types, also of those that it had in earlier versions. */
      readonly types: readonly string[];
      /** Fields that it had added to types of other plugins; absent where there were none. */
      readonly extraFields?: readonly { readonly type: string; readonly fields: readonly string[] }[];
    };
