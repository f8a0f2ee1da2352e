import type { ErrorDetail, ItemAction } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { Sequelize, Transaction } from 'sequelize';
import type { CompiledItemType, ItemTypeDescriptor } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { IdentifiedRow, ItemRepository } from '../read/item-repository';
import type { JsonObject } from '../../common/json';
import type { StoredValues } from '../kinds/field-kind';
import { assertMay, typeInScope, type Scope } from '../policy/scope';
import type { Precondition } from './precondition';
import type { RemoveOptions } from './remove/confirmation';
import type { RunQuery } from '@gantry/core-database';
import { mayMissItems, missingReferences } from './reference-check';
import type { WriteHooks } from './rows/write-hooks';
import { validationFailed } from './write-problems';

/** A row after a write. */
export type WrittenRow = IdentifiedRow;

export interface ItemWriterDependencies {
  readonly sequelize: Sequelize;
  /** All of them, whatever a policy shows. */
  readonly types: ItemTypes;
  readonly repository: ItemRepository;
  /** Runs a statement outside the transaction of the write. */
  readonly query: RunQuery;
  readonly logger?: Pick<Logger, 'warn'>;
  /** What plugins do before and after writes. */
  readonly hooks?: WriteHooks | undefined;
  /** The transaction in which everything happens; each write has its own unless given. */
  readonly parent?: Transaction;
}

/** Collaborators and options of one write. */
export interface WriteDependencies extends ItemWriterDependencies {
  readonly scope: Scope;
  /** The version of which a restored item is. */
  readonly restoredVersion?: number;
  /** Values of the item before the write: links that they have within them are not looked for again. */
  readonly current?: StoredValues;
  /** Set to only find out what is wrong: nothing is written, and no hook runs. */
  readonly isDryRun?: true;
  /** The writes of single items, of which the others are made. */
  readonly single: SingleWrites;
}

export interface SingleWrites {
  create(dependencies: WriteDependencies, type: CompiledItemType, payload: JsonObject): Promise<WrittenRow>;
  update(
    dependencies: WriteDependencies,
    type: CompiledItemType,
    id: string,
    payload: JsonObject,
    precondition: Precondition,
  ): Promise<WrittenRow>;
  remove(dependencies: WriteDependencies, type: CompiledItemType, id: string, options: RemoveOptions): Promise<void>;
}

/** The type as the scope sees it. @throws GantryError TYPE_NOT_FOUND, METHOD_NOT_ALLOWED, FORBIDDEN */
export function writableType(scope: Scope, action: ItemAction, { descriptor }: CompiledItemType): CompiledItemType {
  const type = typeInScope(scope, descriptor.code);
  assertMay(scope, action, type);
  return type;
}

/** @throws GantryError VALIDATION_FAILED that also names the references to items that do not exist */
export async function assertSound(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  values: StoredValues,
  problems: readonly ErrorDetail[],
): Promise<void> {
  const { types } = dependencies.scope.policy;
  // Where the database looks for the items, it does so when the item is written.
  const isLeftToDatabase = dependencies.isDryRun !== true && !mayMissItems(type, values, types);
  if (problems.length === 0 && isLeftToDatabase) return;
  const found = [...problems, ...(await missing(dependencies, type, values))];
  if (found.length > 0) throw validationFailed(type, action, found);
}

export function missing(
  { scope, query, current }: WriteDependencies,
  type: ItemTypeDescriptor,
  values: StoredValues,
): Promise<readonly ErrorDetail[]> {
  return missingReferences(type, values, { types: scope.policy.types, query, current });
}
