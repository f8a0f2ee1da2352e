import type { ItemAction } from '@gantry/contracts';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';

/**
 * Who may see and change what. Everything that reads or writes items takes the types from the policy of its scope: a type or
 * field that the policy hides is not among them, and so behaves in every place as one that does not exist.
 * A filter of rows belongs to the types as well, next to their fields: the statements are made from them.
 */
export interface Policy {
  /** The item types as the scope sees them. The same object for the lifetime of the policy: statements are cached by it. */
  readonly types: ItemTypes;
  /** Asked with a type of {@link types}; one that cannot be read is not among them. */
  may(action: ItemAction, type: ItemTypeDescriptor): boolean;
  /** Whether it would show a type that is not among {@link types} because its plugin is not in use. */
  mightShow(plugin: string, code: string): boolean;
}
