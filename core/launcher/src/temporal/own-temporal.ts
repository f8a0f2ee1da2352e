import type { EmbeddedServer } from '../common/embedded-server';

/** An external Temporal (TEMPORAL_ADDRESS). The host connects to it and reports its state; nothing to start. */
export function createOwnTemporal(environment: Readonly<NodeJS.ProcessEnv>): EmbeddedServer {
  const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE } = environment;
  return {
    name: 'temporal',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    env: () => temporalSettings(environment),
    banner: () => [
      ['Temporal', `${TEMPORAL_ADDRESS}, namespace ${TEMPORAL_NAMESPACE || 'default'} (TEMPORAL_ADDRESS)`],
    ],
    pid: () => undefined,
  };
}

/** For other processes of the same home, which have another environment. */
function temporalSettings(environment: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const settings = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('TEMPORAL_') && value !== undefined ? [[name, value] as const] : [],
  );
  return Object.fromEntries(settings);
}
