import type { EmbeddedServer } from '../embedded-server';

/** A Temporal that somebody else runs (TEMPORAL_ADDRESS). The host connects to it and tells how it is; nothing to start. */
export function createOwnTemporal(environment: Readonly<NodeJS.ProcessEnv>): EmbeddedServer {
  const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE } = environment;
  return {
    name: 'temporal',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    env: () => ({}),
    banner: () => [
      ['Temporal', `${TEMPORAL_ADDRESS}, namespace ${TEMPORAL_NAMESPACE || 'default'} (TEMPORAL_ADDRESS)`],
    ],
    pid: () => undefined,
  };
}
