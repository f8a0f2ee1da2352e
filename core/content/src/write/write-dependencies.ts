import type { Logger } from '@gantry/plugin-api';
import type { Sequelize, Transaction } from 'sequelize';
import type { CompiledItemType } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { IdentifiedRow, ItemRepository } from '../read/item-repository';
import type { JsonObject } from '@gantry/core-common';
import type { StoredValues } from '../kinds/field-kind';
import type { Scope } from '../policy/scope';
import type { Precondition } from './precondition';
import type { ErrorDetail } from '@gantry/contracts';
import type { RemoveOptions } from './remove/confirmation';
import type { RunQuery } from '@gantry/core-database';
import type { WriteHooks } from './rows/write-hooks';

/** A row after a write. */
export type WrittenRow = IdentifiedRow;

export interface ItemWriterDependencies {
  readonly sequelize: Sequelize;
  /** All of them, whatever a policy shows. */
  readonly types: ItemTypes;
  readonly repository: ItemRepository;
  /** Runs a statement outside the transaction of the write. */
  readonly query: RunQuery;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
  /** Hooks of plugins before and after writes. */
  readonly hooks?: WriteHooks | undefined;
  /** Called when a write is committed. It must be quick and must not throw. */
  readonly notify?: (() => void) | undefined;
  /** The transaction in which everything happens; each write has its own unless given. */
  readonly parent?: Transaction | undefined;
}

/** Gives a problem for each item that is missing, as far as these values refer to it and the current ones do not. */
export type LookedUp = (values: StoredValues, current?: StoredValues) => readonly ErrorDetail[];

/** Collaborators and options of one write. */
export interface WriteDependencies extends ItemWriterDependencies {
  readonly scope: Scope;
  /** The version of which a restored item is. */
  readonly restoredVersion?: number;
  /** Values of the item before the write: links that they have within them are not looked for again. */
  readonly current?: StoredValues;
  /** The items that the values refer to, where they were looked for already. */
  readonly looked?: LookedUp | undefined;
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
