import type { PluginDecision, PluginProblem, Quarantine, SchemaDifference } from '@gantry/contracts';

/** What the checking process is asked. */
export interface CheckRequest {
  readonly ids: readonly string[];
  readonly decisions: readonly (readonly [string, PluginDecision])[];
  /** Plugins that ended an earlier attempt. */
  readonly quarantines: readonly Quarantine[];
}

/** What the database would go through. */
export type SchemaFindings =
  | { readonly kind: 'unknown'; readonly reason: string; readonly remedy: string }
  | {
      readonly kind: 'planned';
      readonly statements: readonly string[];
      readonly migrations: readonly string[];
      readonly differences: readonly SchemaDifference[];
      readonly failures: readonly { readonly code: string; readonly reason: string; readonly remedy: string }[];
    };

/** What replaying the open workflows of a service came to. */
export type WorkflowFindings =
  | { readonly kind: 'unknown'; readonly taskQueue: string; readonly reason: string; readonly remedy: string }
  | {
      readonly kind: 'replayed';
      readonly taskQueue: string;
      readonly count: number;
      /** Further ones that are open and were not replayed. */
      readonly isPartial: boolean;
      readonly failures: readonly { readonly workflowId: string; readonly reason: string }[];
    };

/** What the checking process found out about one plugin. */
export interface CheckFindings {
  readonly id: string;
  readonly problems: readonly PluginProblem[];
  /** What the author should know, although the plugin can be used. */
  readonly notes: readonly string[];
  /** What the code registered, as text. */
  readonly registered: readonly string[];
  readonly schema?: SchemaFindings;
  readonly workflows?: WorkflowFindings;
}

/** Reports that the checking process is up; its time limit starts here. */
export interface CheckBegun {
  readonly kind: 'check-begun';
}

/** The last message of the checking process. */
export type CheckAnswer =
  | { readonly kind: 'checked'; readonly findings: readonly CheckFindings[] }
  | { readonly kind: 'check-failed'; readonly code: string; readonly message: string; readonly remedy: string };
