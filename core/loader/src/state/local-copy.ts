import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { readIfThere, writeAtomically } from '@gantry/core-common';
import { decisionsSchema } from '@gantry/core-supervisor/child';
import type { InstalledPackage, PluginDecision } from '@gantry/contracts';
import { z } from 'zod';
import { PluginError } from '../plugin-error';

/** Decisions about plugins by command, by plugin id. A plugin without an entry is enabled and not pinned. */
export type PluginDecisions = ReadonlyMap<string, PluginDecision>;

const errorSchema = z.object({ code: z.string(), message: z.string(), remedy: z.string() });

const copySchema = z.object({
  formatVersion: z.literal(1),
  host: z.string(),
  revision: z.string(),
  generation: z.number().int(),
  followed: z.boolean(),
  plugins: decisionsSchema,
  previous: decisionsSchema.optional(),
  before: z.object({ revision: z.string(), generation: z.number().int() }).optional(),
  refused: z.object({ revision: z.string(), generation: z.number().int(), error: errorSchema }).optional(),
});

/** A set of the database that this host could not load. */
export type RefusedSet = Readonly<NonNullable<z.output<typeof copySchema>['refused']>>;

/** The plugin set of the database as this home has it: `plugin-set.json`. */
export interface LocalCopy {
  /** Names this home among those of one database. */
  readonly host: string;
  /** Differs after every change of the set. */
  readonly revision: string;
  readonly generation: number;
  /** Whether another host has made the change that led to it. */
  readonly followed: boolean;
  readonly decisions: PluginDecisions;
  /** The set that this home ran before; absent before the first change and after a return. */
  readonly previous?: PluginDecisions | undefined;
  /** Which set of the database `previous` is. */
  readonly before?: Readonly<Pick<LocalCopy, 'revision' | 'generation'>> | undefined;
  /** A later set that could not be loaded here. */
  readonly refused?: RefusedSet | undefined;
}

/** @throws PluginError PLUGIN_STATE_DAMAGED */
export function readCopy(home: string): LocalCopy | undefined {
  const file = copyFile(home);
  try {
    const text = readIfThere(file);
    if (text === undefined) return undefined;
    const { plugins, previous, ...rest } = copySchema.parse(JSON.parse(text));
    return { ...rest, decisions: toMap(plugins), previous: previous && toMap(previous) };
  } catch (error) {
    throw stateDamaged(
      file,
      error,
      `Move it away, and the next start writes it again from the database: mv "${file}" "${file}.damaged"`,
    );
  }
}

export function writeCopy(home: string, { decisions, previous, ...rest }: LocalCopy): void {
  const copy = {
    formatVersion: 1,
    ...rest,
    plugins: toObject(decisions),
    ...(previous === undefined ? {} : { previous: toObject(previous) }),
  };
  writeAtomically(copyFile(home), `${JSON.stringify(copy, null, 2)}\n`);
}

/** The name of this home among those of one database; a new one where the copy is damaged or there is none yet. */
export function hostNameOf(home: string): string {
  try {
    return readCopy(home)?.host ?? randomUUID();
  } catch {
    return randomUUID();
  }
}

export function toMap(decisions: Readonly<Record<string, PluginDecision>>): PluginDecisions {
  return new Map(Object.entries(decisions));
}

/** Sorted by id. */
export function toObject(decisions: PluginDecisions): Readonly<Record<string, PluginDecision>> {
  return Object.fromEntries([...decisions].toSorted(([first], [second]) => (first < second ? -1 : 1)));
}

export function stateDamaged(file: string, cause: unknown, remedy: string): PluginError {
  const detail = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll(/\s*\n\s*/g, ' ') : String(cause);
  return new PluginError(
    'PLUGIN_STATE_DAMAGED',
    `${file}, which lists the enabled plugins, cannot be read: ${detail}`,
    remedy,
    { cause },
  );
}

/** The part of a decision that the store needs: the package that is enabled, or kept because it was installed. */
export function keptPackage(
  decision: PluginDecision,
): { readonly version: string; readonly contentHash: string } | undefined {
  return decision.enabled ? decision : decision.installed;
}

/** The decision that disables a plugin: a package that was installed stays so. */
export function disabled(before: PluginDecision | undefined): PluginDecision {
  return before?.installed === undefined ? { enabled: false } : { enabled: false, installed: before.installed };
}

/** The decision about a plugin whose package was installed. */
export function decisionFor(installed: InstalledPackage, enabled: boolean): PluginDecision {
  const { version, contentHash } = installed;
  return enabled ? { enabled, version, contentHash, installed } : { enabled, installed };
}

function copyFile(home: string): string {
  return join(home, 'plugin-set.json');
}
