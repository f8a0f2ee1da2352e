import type { CommittedWrite, PendingWrite, WriteDecision } from '@gantry/plugin-api';

/** Hooks of plugins before and after items of a type are written. */
export interface TypeHooks {
  /** One after the other. @throws GantryError, with which nothing is written */
  readonly before: readonly ((write: Omit<PendingWrite, 'signal'>) => Promise<WriteDecision>)[];
  /** Must not throw. */
  readonly after: readonly ((write: CommittedWrite) => void)[];
}

/** The hooks of plugins by the code of the type; most types have none. */
export interface WriteHooks {
  of(code: string): TypeHooks | undefined;
}
