/**
 * The codes of single problems in the `details` of a failed request, and what each means. Routes of plugins may define
 * additional codes.
 * @public
 */
export const detailCatalogue = {
  REQUIRED: 'The field requires a value; null and blank text count as no value',
  UNKNOWN_FIELD:
    'The key is not a field of the type, not a member of the request, or not a query parameter of the path',
  WRONG_TYPE: 'The value is not of the type of the field',
  TOO_LONG: 'The text has too many characters',
  TOO_MANY: 'The list has too many entries',
  TOO_FEW: 'The list has too few entries',
  DUPLICATE: 'The list names the same entry twice, or the address the same query parameter',
  CHARACTER:
    'The text holds a character that is invisible, looks like a space or cannot be stored, or too many combining marks',
  NOT_AN_OPTION: 'The value is not one of the options of the field',
  NO_TARGET: 'The field is a reference that refers to no type, and cannot have a value',
  PATTERN: 'The text does not match the pattern of the field',
  IMAGE_ADDRESS: 'The text is neither an http or https address nor a path of the platform',
  OUT_OF_RANGE: 'The number is too small, too large, or has too many digits',
  REFERENCE_NOT_FOUND: 'The referenced item does not exist',
  REFERENCE_AMBIGUOUS: 'Several items have the key that a line of an imported file refers to',
  SELF_REFERENCE: 'The item refers to itself',
  NOT_EDITABLE: 'The field is set on create only, and another value was sent',
  NOT_UNIQUE: 'Another item has the same value, or the same values together',
  MODEL_VALIDATION: 'A validation that the author of the type wrote refuses the item',
  REFERENCED_BY: 'Items of the type and field in `path` refer to the item',
  FORBIDDEN:
    'The roles of the caller do not allow the change of the field in `path`, or of the item if `path` is empty',
  NOT_PERMITTED: 'The deletion would delete or change items of the type in `path`, which the caller may not',
  ALSO_DELETED: 'The deletion also deletes items of the type in `path`',
  ALSO_CHANGED: 'The deletion also changes items of the type in `path`, which refer to a deleted item',
  UP_TO_DATE: 'The plugin already has the newest version, which is in `path`',
  NEEDS_IT: 'The plugin in `path` depends on the plugin to disable',
  SYNTAX: 'The line of an imported file cannot be read',
  VALUE_INVALID: 'The value is not acceptable for a reason that the message names',
  KEY_IN_USE: 'The first request with the Idempotency-Key is in progress',
  KEY_OF_ANOTHER_REQUEST: 'The Idempotency-Key was sent with another request before',
  OUTCOME_UNKNOWN: 'The outcome of the first request with the Idempotency-Key is unknown',
  CRITERION: 'The search criterion is not of the form { field, operator, value }',
} as const satisfies Record<string, string>;

/** A code of {@link detailCatalogue}. @public */
export type DetailCode = keyof typeof detailCatalogue;
