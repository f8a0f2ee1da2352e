import type { GenerationsReport, HostMessage } from '@gantry/contracts';

/** What a change asks of the outer process. */
export type ChangeRequest = Omit<Extract<HostMessage, { readonly kind: 'change' }>, 'kind'>;

/** How this process sees the generations of the platform that it is one of. */
export interface Generations {
  report(): GenerationsReport;
  /** Asks for another generation; `report` tells how it goes. Only where changes take effect at once. */
  request(change: ChangeRequest): void;
}

/** A host without an outer process: what is decided counts from the next start on. */
export const standAlone: Generations = {
  report: () => ({ changesTakeEffect: 'next-start', generation: 1, changes: [] }),
  request: () => undefined,
};
