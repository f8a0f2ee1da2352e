/** Settings of the operations service. */
export interface OpsConfig {
  /** Temporal's own pages, without a slash at the end. */
  readonly temporalPages?: string;
}

/** Reads `TEMPORAL_UI_ADDRESS`. */
export function parseOpsConfig(environment: Readonly<Record<string, string | undefined>>): OpsConfig {
  const address = environment['TEMPORAL_UI_ADDRESS'] ?? '';
  if (address === '') return {};
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new Error('TEMPORAL_UI_ADDRESS must look like https://temporal.example:8233');
  }
  return { temporalPages: address.replace(/\/+$/, '') };
}
