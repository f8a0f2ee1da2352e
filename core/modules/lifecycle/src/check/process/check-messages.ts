import type { PluginProblem, SchemaDifference } from '@gantry/contracts';
import type { BreakingMigration, ObservedStatement } from '@gantry/core-database';
import { decisionsSchema, quarantineSchema } from '@gantry/core-supervisor/child';
import { z } from 'zod';

/** The message that the checking process starts with. */
export const checkStartSchema = z.object({
  kind: z.literal('start'),
  /** The environment of the platform whose plugins are checked; it stays out of reach of their code. */
  environment: z.record(z.string(), z.string()),
  /** Ids of the plugins that are checked. */
  candidates: z.array(z.string()),
  decisions: decisionsSchema,
  /** The packages among them that are not where the platform finds plugins. */
  folders: z.array(z.string()),
  /** Plugins that ended an earlier attempt. */
  quarantines: z.array(quarantineSchema),
});

export type CheckStart = Readonly<z.infer<typeof checkStartSchema>>;

/** The changes of the database that enabling the plugin would bring. */
export type SchemaFindings =
  | { readonly kind: 'unknown'; readonly reason: string; readonly remedy: string }
  | {
      readonly kind: 'planned';
      readonly statements: readonly string[];
      /** Statements, and changes of what the platform stores, that give the data of earlier names their names of today. */
      readonly renames: readonly string[];
      readonly migrations: readonly string[];
      readonly differences: readonly SchemaDifference[];
      readonly failures: readonly { readonly code: string; readonly reason: string; readonly remedy: string }[];
      /** The effects of the statements in a copy of the tables; undefined without statements. */
      readonly trial?: SchemaTrialFindings;
    };

export type SchemaTrialFindings =
  | {
      readonly kind: 'tried';
      readonly statements: readonly ObservedStatement[];
      readonly breaking: readonly BreakingMigration[];
    }
  | { readonly kind: 'not-tried'; readonly reason: string };

/** The result of replaying the open workflows of a service. */
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

/** The findings of the checking process about one plugin. */
export interface CheckFindings {
  readonly id: string;
  readonly problems: readonly PluginProblem[];
  /** Warnings for the author; the plugin can be used. */
  readonly notes: readonly string[];
  /** The contributions that the code registered, as text. */
  readonly registered: readonly string[];
  /** Warnings about deprecated parts of the plugin API that it used while it was loaded. */
  readonly deprecations: readonly string[];
  /** Lines that it printed and logged while its code was loaded and registered. */
  readonly lines: number;
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
