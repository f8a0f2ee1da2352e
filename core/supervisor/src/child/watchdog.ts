/** The plugin whose phase the host is running. */
export interface Entered {
  readonly plugin: string;
  readonly phase: string;
}

/** Watches how long a process stays in phases of plugins. */
export interface PhaseWatch {
  entering(entered: Entered, timeoutMs: number): void;
  left(entered: Entered): void;
  /** The plugin entered last and not left. */
  current(): Entered | undefined;
  stop(): void;
}

export interface Watchdog extends PhaseWatch {
  /** @param memory bytes that the process occupies */
  alive(memory?: number): void;
}

export interface WatchdogTimes {
  /** How long after the time limit of its phase a plugin is at fault. */
  readonly graceMs: number;
  /** From ready on, a host counts as blocked when it sends no heartbeat for so long. */
  readonly silenceMs: number;
  /** The same for a host whose memory grows: it does not recover, and is silent until its memory is full. */
  readonly silenceWhileGrowingMs: number;
  /** The same in processor time of its main thread: a loop, on a machine of any load, and not a host that waits for the processor. */
  readonly busyMs: number;
}

export const defaultWatchdogTimes: WatchdogTimes = {
  graceMs: 2_000,
  silenceMs: 15_000,
  silenceWhileGrowingMs: 2_500,
  busyMs: 4_000,
};

/** Memory and processor time that the host uses; undefined where that is not known. */
export interface HostUsage {
  /** Bytes that it occupies. */
  memory(): number | undefined;
  /** Milliseconds of processor time of its main thread. */
  busyMs(): number | undefined;
}

/** Bytes that a host which works does not gain while it is silent. */
const minGrowth = 256 * 1024 * 1024;
const usageCheckIntervalMs = 500;

/**
 * Calls `onLate` when a process stays in a phase for longer than its time limit and the grace: it enforces the limit
 * itself, and is at fault only when even that does not come.
 */
export function createPhaseWatch(graceMs: number, onLate: (entered: Entered) => void): PhaseWatch {
  const phases = new Map<string, { readonly entered: Entered; readonly timer: Timer }>();
  const leave = (key: string): void => {
    phases.get(key)?.timer.clear();
    phases.delete(key);
  };
  return {
    entering: (entered, timeoutMs) => {
      const key = keyOf(entered);
      leave(key);
      phases.set(key, { entered, timer: startTimer(timeoutMs + graceMs, () => onLate(entered)) });
    },
    left: (entered) => leave(keyOf(entered)),
    current: () => [...phases.values()].at(-1)?.entered,
    stop: () => {
      for (const { timer } of phases.values()) timer.clear();
    },
  };
}

/**
 * Watches which plugin the host is in, and calls `onSilent` when it stays there too long or sends no heartbeat.
 */
export function createWatchdog(
  times: WatchdogTimes,
  onSilent: (why: 'plugin-silent' | 'host-silent') => void,
  usage: HostUsage,
): Watchdog {
  const phases = createPhaseWatch(times.graceMs, () => onSilent('plugin-silent'));
  let silence: Timer | undefined;
  let check: Timer | undefined;
  const checkUsage = (before: { readonly memory?: number; readonly busyMs?: number }, afterMs: number): void => {
    check = startTimer(afterMs, () => {
      const hasGrown = before.memory !== undefined && (usage.memory() ?? 0) - before.memory >= minGrowth;
      const isBusy = before.busyMs !== undefined && (usage.busyMs() ?? 0) - before.busyMs >= times.busyMs;
      if (hasGrown || isBusy) onSilent('host-silent');
      else checkUsage(before, usageCheckIntervalMs);
    });
  };
  return {
    ...phases,
    alive: (memory) => {
      silence?.clear();
      check?.clear();
      silence = startTimer(times.silenceMs, () => onSilent('host-silent'));
      const busyMs = usage.busyMs();
      const before = { ...(memory === undefined ? {} : { memory }), ...(busyMs === undefined ? {} : { busyMs }) };
      checkUsage(before, times.silenceWhileGrowingMs);
    },
    stop: () => {
      silence?.clear();
      check?.clear();
      phases.stop();
    },
  };
}

interface Timer {
  clear(): void;
}

/** Time to read what the host has sent meanwhile, when this process was suspended itself (Ctrl-Z, a closed laptop). */
const readDelayMs = 250;

function startTimer(afterMs: number, action: () => void): Timer {
  let timer = setTimeout(() => {
    timer = setTimeout(action, readDelayMs);
  }, afterMs);
  return { clear: () => clearTimeout(timer) };
}

function keyOf({ plugin, phase }: Entered): string {
  return `${plugin}\n${phase}`;
}
