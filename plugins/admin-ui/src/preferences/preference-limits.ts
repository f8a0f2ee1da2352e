/** How much one owner may keep. All of it is read at once by a page, so it has to stay small. */
export const preferenceLimits = {
  views: 50,
  columns: 200,
  columnWidth: { min: 48, max: 1_000 },
  favourites: 100,
  viewName: 80,
  parameters: 4000,
  lists: 500,
  totalBytes: 256 * 1024,
} as const;
