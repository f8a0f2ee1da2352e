import type { DeletionEffect, DeletionPlan } from '@gantry/contracts';
import { numberText } from '../api/json';

/** Effect on the items of a type, for example `12 Products will be deleted`. */
export function effectText(effect: DeletionEffect): string {
  const { subject, action } = partsOf(effect);
  return `${subject} will be ${action}`;
}

/** Effects on all other items, for example `12 Products would be deleted and 1 Article would be changed`. */
export function deletionText({ effects }: DeletionPlan): string {
  return effects
    .map((effect) => {
      const { subject, action } = partsOf(effect);
      return `${subject} would be ${action}`;
    })
    .join(' and ');
}

function partsOf({ action, count, displayName, displayNamePlural }: DeletionEffect) {
  // Numbers of answers keep all their digits.
  const number = numberText(count) ?? '';
  return {
    subject: `${number} ${number === '1' ? displayName : displayNamePlural}`,
    action: action === 'delete' ? 'deleted' : 'changed',
  };
}
