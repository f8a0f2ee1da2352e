/**
 * The type of a reference property. The alias keeps the compiler from emitting the target class as decorator metadata,
 * which fails for two models that refer to each other.
 * @example \@Field({ displayName: 'Catalog', type: 'REFERENCE', targetEntity: () => Catalog }) declare catalog: Related<Catalog>;
 * @public
 */
export type Related<T> = T;
