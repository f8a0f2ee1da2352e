/** Settings of the consignment service. */
export interface ConsignmentConfig {
  /** The answer of checkShipping as long as the carrier has reported nothing. */
  readonly deliveredByDefault: boolean;
}

/** Reads `CONSIGNMENT_DELIVERED_BY_DEFAULT` (`true` unless given). */
export function parseConsignmentConfig(environment: Readonly<Record<string, string | undefined>>): ConsignmentConfig {
  const value = environment['CONSIGNMENT_DELIVERED_BY_DEFAULT'] || 'true';
  if (value !== 'true' && value !== 'false') {
    throw new Error(`CONSIGNMENT_DELIVERED_BY_DEFAULT must be true or false, found "${value}"`);
  }
  return { deliveredByDefault: value === 'true' };
}
