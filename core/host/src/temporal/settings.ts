import { loadClientConnectConfig } from '@temporalio/envconfig';
import { describeError, ConfigError } from '@gantry/core-common';

/** Where Temporal is and how to get in; undefined where none is named. */
export interface TemporalSettings {
  readonly address: string;
  readonly namespace: string;
  /** Options that Connection and NativeConnection share: TLS, API key, header fields. */
  readonly connection: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  /** The file with the state of the embedded Temporal of the launcher; absent for an external Temporal. */
  readonly stateFile?: string;
}

/**
 * Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the TEMPORAL_TLS_* variables, as Temporal's own
 * command line does. Configuration files are left alone: a platform runs with what its environment says.
 * @throws ConfigError that names the variable which cannot be used
 */
export function readTemporalSettings(environment: Environment): TemporalSettings | undefined {
  if ((environment['TEMPORAL_ADDRESS'] ?? '') === '') return undefined;
  const { connectionOptions, namespace } = load(environment);
  const stateFile = environment['GANTRY_TEMPORAL_STATE'];
  return {
    address: connectionOptions.address ?? '',
    namespace: namespace ?? 'default',
    connection: connectionOptions,
    ...(stateFile ? { stateFile } : {}),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

function load(environment: Environment): ReturnType<typeof loadClientConnectConfig> {
  try {
    return loadClientConnectConfig({ disableFile: true, overrideEnvVars: definedOf(environment) });
  } catch (error) {
    throw new ConfigError(`${culprit(environment, error)} cannot be used: ${describeError(error)}`, { cause: error });
  }
}

/** Files are read at once, and what cannot be read is known by its path only. */
function culprit(environment: Environment, error: unknown): string {
  const path = typeof error === 'object' && error !== null && 'path' in error ? error.path : undefined;
  const named = Object.keys(environment).find((name) => name.startsWith('TEMPORAL_') && environment[name] === path);
  return path === undefined || named === undefined ? 'A variable of Temporal (TEMPORAL_…)' : named;
}

function definedOf(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
