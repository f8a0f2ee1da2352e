/** The plugin whose code the host is running. */
export interface Entered {
  readonly plugin: string;
  readonly phase: string;
}

export interface HostWatch {
  entering(entered: Entered, timeoutMs: number): void;
  left(entered: Entered): void;
  alive(): void;
  /** The plugin entered last and not left. */
  current(): Entered | undefined;
  stop(): void;
}

export interface WatchTimes {
  /** The host enforces its own time limits and reports; only when even that stays away is the process to blame. */
  readonly graceMs: number;
  /** A host that has sent signs of life is taken for dead without one for so long. */
  readonly silenceMs: number;
}

export const defaultWatchTimes: WatchTimes = { graceMs: 2_000, silenceMs: 30_000 };

/** Watches which plugin the host is in, and calls `onSilent` once when it stays there too long or gives no sign of life. */
export function createHostWatch(
  times: WatchTimes,
  onSilent: (why: 'plugin-silent' | 'host-silent') => void,
): HostWatch {
  const entered = new Map<string, { readonly entered: Entered; readonly timer: NodeJS.Timeout }>();
  let silence: NodeJS.Timeout | undefined;
  const leave = (key: string): void => {
    clearTimeout(entered.get(key)?.timer);
    entered.delete(key);
  };
  return {
    entering: (what, timeoutMs) => {
      const key = keyOf(what);
      leave(key);
      entered.set(key, {
        entered: what,
        timer: setTimeout(() => onSilent('plugin-silent'), timeoutMs + times.graceMs),
      });
    },
    left: (what) => leave(keyOf(what)),
    alive: () => {
      clearTimeout(silence);
      silence = setTimeout(() => onSilent('host-silent'), times.silenceMs);
    },
    current: () => [...entered.values()].at(-1)?.entered,
    stop: () => {
      clearTimeout(silence);
      for (const { timer } of entered.values()) clearTimeout(timer);
    },
  };
}

function keyOf({ plugin, phase }: Entered): string {
  return `${plugin}\n${phase}`;
}
