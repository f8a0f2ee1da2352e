/** The plugin whose phase the host is running. */
export interface Entered {
  readonly plugin: string;
  readonly phase: string;
}

export interface Watchdog {
  entering(entered: Entered, timeoutMs: number): void;
  left(entered: Entered): void;
  alive(): void;
  /** The plugin entered last and not left. */
  current(): Entered | undefined;
  stop(): void;
}

export interface WatchdogTimes {
  /** The host enforces its own timeouts and reports; the process is at fault only when even that does not come. */
  readonly graceMs: number;
  /** From ready on, a host counts as blocked when it gives no sign of life for so long. */
  readonly silenceMs: number;
}

export const defaultWatchdogTimes: WatchdogTimes = { graceMs: 2_000, silenceMs: 15_000 };

/** Watches which plugin the host is in, and calls `onSilent` once when it stays there too long or gives no sign of life. */
export function createWatchdog(
  times: WatchdogTimes,
  onSilent: (why: 'plugin-silent' | 'host-silent') => void,
): Watchdog {
  const entered = new Map<string, { readonly entered: Entered; readonly timer: Timer }>();
  let silence: Timer | undefined;
  const leave = (key: string): void => {
    entered.get(key)?.timer.clear();
    entered.delete(key);
  };
  return {
    entering: (what, timeoutMs) => {
      const key = keyOf(what);
      leave(key);
      entered.set(key, {
        entered: what,
        timer: startTimer(timeoutMs + times.graceMs, () => onSilent('plugin-silent')),
      });
    },
    left: (what) => leave(keyOf(what)),
    alive: () => {
      silence?.clear();
      silence = startTimer(times.silenceMs, () => onSilent('host-silent'));
    },
    current: () => [...entered.values()].at(-1)?.entered,
    stop: () => {
      silence?.clear();
      for (const { timer } of entered.values()) timer.clear();
    },
  };
}

interface Timer {
  clear(): void;
}

/** Time to read what the host has sent meanwhile, when this process was suspended itself (Ctrl-Z, a closed laptop). */
const secondLookMs = 250;

function startTimer(afterMs: number, action: () => void): Timer {
  let timer = setTimeout(() => {
    timer = setTimeout(action, secondLookMs);
  }, afterMs);
  return { clear: () => clearTimeout(timer) };
}

function keyOf({ plugin, phase }: Entered): string {
  return `${plugin}\n${phase}`;
}
