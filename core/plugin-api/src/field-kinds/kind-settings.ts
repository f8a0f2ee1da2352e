/** What `settings` of `@Field` may hold: JSON. @public */
export type KindSettings = Readonly<Record<string, unknown>>;
