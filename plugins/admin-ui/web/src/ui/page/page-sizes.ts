/** Rows on a page of a list; the first unless another is chosen. */
export const pageSizes = [50, 100, 200] as const;
