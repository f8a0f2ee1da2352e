import type { AnswerCount } from '@gantry/contracts';

/** Answers by the plugin whose code or item types they are of. */
export type AnswersByPlugin = Readonly<Record<string, AnswerCount>>;

/** Counts answers, for a comparison of plugins before and after a change. */
export interface AnswerCounts {
  count(plugin: string, isFault: boolean): void;
  forget(): void;
  /** Of the last ten minutes, or a little less. */
  recent(): AnswersByPlugin;
  /** Since they were forgotten. */
  total(): AnswersByPlugin;
}

const slotMs = 60_000;
const slots = 10;

export function createAnswerCounts(now: () => number = () => performance.now()): AnswerCounts {
  const total = new Map<string, AnswerCount>();
  let recent: { readonly slot: number; readonly counts: Map<string, AnswerCount> }[] = [];
  const current = (): Map<string, AnswerCount> => {
    const slot = Math.floor(now() / slotMs);
    const last = recent.at(-1);
    if (last?.slot === slot) return last.counts;
    const counts = new Map<string, AnswerCount>();
    recent = [...recent.filter((one) => one.slot > slot - slots), { slot, counts }];
    return counts;
  };
  return {
    count: (plugin, isFault) => {
      const one = { answers: 1, faults: Number(isFault) };
      for (const counts of [total, current()]) counts.set(plugin, sum(counts.get(plugin), one));
    },
    forget: () => {
      total.clear();
      recent = [];
    },
    recent: () => {
      current();
      const all = new Map<string, AnswerCount>();
      for (const { counts } of recent) for (const [plugin, one] of counts) all.set(plugin, sum(all.get(plugin), one));
      return Object.fromEntries(all);
    },
    total: () => Object.fromEntries(total),
  };
}

function sum(first: AnswerCount = { answers: 0, faults: 0 }, second: AnswerCount): AnswerCount {
  return { answers: first.answers + second.answers, faults: first.faults + second.faults };
}

/** What has come since. */
export function difference(before: AnswersByPlugin, after: AnswersByPlugin): AnswersByPlugin {
  return Object.fromEntries(
    Object.entries(after).map(([plugin, { answers, faults }]) => {
      const earlier = before[plugin] ?? { answers: 0, faults: 0 };
      return [plugin, { answers: answers - earlier.answers, faults: faults - earlier.faults }];
    }),
  );
}

export function together(first: AnswersByPlugin, second: AnswersByPlugin): AnswersByPlugin {
  const plugins = new Set([...Object.keys(first), ...Object.keys(second)]);
  const none = { answers: 0, faults: 0 };
  return Object.fromEntries([...plugins].map((plugin) => [plugin, sum(first[plugin], second[plugin] ?? none)]));
}
