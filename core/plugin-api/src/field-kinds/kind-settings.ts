/** Values of `settings` of `@Field`: JSON. @public */
export type KindSettings = Readonly<Record<string, unknown>>;
