import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Where Temporal is and how to get in; undefined where none is named. */
export interface TemporalSettings {
  readonly address: string;
  readonly namespace: string;
  /** Options that Connection and NativeConnection share: TLS, API key, header fields. */
  readonly connection: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  /** Where the outer process tells how the Temporal stands that it brings along; absent for one that somebody else runs. */
  readonly stateFile?: string;
}

/**
 * Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the TEMPORAL_TLS_* variables, as Temporal's own
 * command line does. Configuration files are left alone: a platform runs with what its environment says.
 * @throws Error that names the variable which cannot be used
 */
export function readTemporalSettings(
  environment: Readonly<Record<string, string | undefined>>,
): TemporalSettings | undefined {
  if ((environment['TEMPORAL_ADDRESS'] ?? '') === '') return undefined;
  const { connectionOptions, namespace } = loadClientConnectConfig({
    disableFile: true,
    overrideEnvVars: definedOf(environment),
  });
  const stateFile = environment['GANTRY_TEMPORAL_STATE'];
  return {
    address: connectionOptions.address ?? '',
    namespace: namespace ?? 'default',
    connection: connectionOptions,
    ...(stateFile ? { stateFile } : {}),
  };
}

function definedOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
