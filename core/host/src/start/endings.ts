/** Endings in order; the endings of one stage run at the same time. */
const stages = ['work', 'plugins', 'registration', 'connections'] as const;

type End = () => void | Promise<void>;

/** How to end what a host has begun, in another order than it came. */
export interface Endings {
  add(stage: (typeof stages)[number], end: End): void;
  /** @throws what an ending throws; later stages are not ended then */
  run(): Promise<void>;
}

export function createEndings(): Endings {
  const endings = new Map<string, readonly End[]>();
  return {
    add: (stage, end) => void endings.set(stage, [...(endings.get(stage) ?? []), end]),
    async run() {
      for (const stage of stages) await Promise.all((endings.get(stage) ?? []).map(async (end) => end()));
    },
  };
}
