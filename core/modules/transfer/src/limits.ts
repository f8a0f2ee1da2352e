/** Bytes of one item at most, unless GANTRY_IMPORT_LINE_LIMIT says otherwise. */
export const defaultImportLineLimit = 1024 * 1024;
/** A longer item would fill the memory. */
export const maxImportLineLimit = 16 * 1024 * 1024;
