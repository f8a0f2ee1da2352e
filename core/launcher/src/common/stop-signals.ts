/** Signals by which a person or a service manager ends the platform. */
export interface StopSignals {
  /** Aborted by the first signal: drain and stop. */
  readonly stop: AbortSignal;
  /** Aborted by a second one: end at once. */
  readonly force: AbortSignal;
  /** All is stopped. A signal from now on ends the process with this code, and does not kill it on its last steps. */
  finish(exitCode: number): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C reaches us twice under npm: from the terminal, and passed on by npm right after. */
const echoMs = 1_000;

export function listenForStopSignals(now: () => number = () => performance.now()): StopSignals {
  const stop = new AbortController();
  const force = new AbortController();
  let first: number | undefined;
  const onSignal = (): void => {
    if (first === undefined) {
      first = now();
      stop.abort();
    } else if (now() - first > echoMs) {
      force.abort();
    }
  };
  for (const name of signals) process.on(name, onSignal);
  return {
    stop: stop.signal,
    force: force.signal,
    finish: (exitCode) => {
      for (const name of signals) process.off(name, onSignal).on(name, () => process.exit(exitCode));
    },
  };
}
