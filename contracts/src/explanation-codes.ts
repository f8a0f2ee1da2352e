/** Why a user may do something or not, for programs: `code` of an explanation, and what each means. @public */
export const explanationCodes = {
  ALLOWED: 'The user has the right',
  USER_DISABLED: 'The user is disabled',
  PERMISSION_UNKNOWN: 'There is no such permission',
  NO_PERMISSION: 'No role of the user has the permission',
  TYPE_UNKNOWN: 'The caller can see no such item type',
  FIELD_UNKNOWN: 'The caller can see no such field of the type',
  ITEM_UNKNOWN: 'The caller can see no such item',
  TYPE_HIDDEN: 'No role of the user has `read` on the type',
  TYPE_READ_ONLY: 'The type is written by its plugin alone',
  TYPE_SINGLETON: 'The type has exactly one item, which cannot be deleted',
  NO_ACTION: 'No role of the user has the action on the type',
  FIELD_HIDDEN: 'No role of the user has the field among those that are readable',
  FIELD_COMPUTED: 'The field is computed, and cannot be written',
  FIELD_NOT_WRITABLE: 'No role of the user has the field among those that are writable',
  CONDITIONS_NOT_MET: 'The item does not meet the conditions of a role with the action, or with `read`',
  SOURCE_HIDDEN: 'The item does not meet the conditions of a role that shows a field from which the field is computed',
} as const satisfies Record<string, string>;

/** A code of {@link explanationCodes}. @public */
export type ExplanationCode = keyof typeof explanationCodes;
