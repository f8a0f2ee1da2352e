import type { DeletionEffect, DetailCode } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import type { Precondition } from '../precondition';

/** The confirmed effects of a deletion: all, or the most items by type and action, such as `product.delete`. */
export type Confirmation = 'all' | ReadonlyMap<string, number>;

/** The precondition of a deletion, and its confirmed effects on other items. */
export interface RemoveOptions extends Precondition {
  readonly confirmed?: Confirmation | undefined;
}

type Effect = Pick<DeletionEffect, 'type' | 'action' | 'count'>;

/** `product.delete=12,article.update=3`, which {@link parseConfirmation} reads. */
export function confirmationText(effects: readonly Effect[]): string {
  return effects.map((effect) => `${keyOf(effect)}=${effect.count}`).join(',');
}

/** @throws GantryError BAD_REQUEST */
export function parseConfirmation(text: string): Confirmation {
  if (text === 'all') return 'all';
  const entries = text.split(',').map((entry) => /^([a-z][a-z0-9_]*\.(?:delete|update))=(\d{1,6})$/.exec(entry));
  const found = entries.flatMap((match) => (match === null ? [] : [[match[1] ?? '', Number(match[2])] as const]));
  if (found.length === entries.length) return new Map(found);
  throw invalidParameter(
    'confirm',
    `confirm must be all, or the value of confirm in the refusal, such as product.delete=12,article.update=3; got ${truncate(text)}`,
    'PATTERN' satisfies DetailCode,
  );
}

/** Whether nothing more is concerned than was confirmed. */
export function isConfirmed(effects: readonly Effect[], confirmed: Confirmation | undefined): boolean {
  if (confirmed === 'all') return true;
  return effects.every((effect) => effect.count <= (confirmed?.get(keyOf(effect)) ?? 0));
}

function keyOf({ type, action }: Pick<Effect, 'type' | 'action'>): string {
  return `${type}.${action}`;
}
