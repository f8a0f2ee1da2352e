import type { ItemTypes } from '../compile/item-types';
import type { Policy } from './policy';

/** Allows everything: the policy of a platform without sign-in, which is open on its own machine only. */
export function createOpenPolicy(types: ItemTypes): Policy {
  return Object.freeze({ types, may: () => true, mightShow: () => true });
}
