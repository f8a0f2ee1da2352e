import type { FollowedSet, GenerationsReport, PluginChange, PluginDecision, PluginSetReport } from '@gantry/contracts';

/** How this process sees the generations of the platform that it is one of. */
export interface Generations {
  report(): GenerationsReport;
  /** Requests another generation; `report` receives its progress. Only where changes take effect at once. */
  request(change: PluginChange, decisions: Readonly<Record<string, PluginDecision>>, follow?: FollowedSet): void;
}

/** A host without a launcher: what is decided counts from the next start on. */
export const withoutLauncher: Generations = {
  report: () => ({ changesTakeEffect: 'next-start', generation: 1, changes: [] }),
  request: () => undefined,
};

/** The same with which plugin set of the database this process runs. */
export function withPluginSet(generations: Generations, read: () => PluginSetReport | undefined): Generations {
  return {
    ...generations,
    report: () => {
      const pluginSet = read();
      return { ...generations.report(), ...(pluginSet === undefined ? {} : { pluginSet }) };
    },
  };
}
