import { itemTypeOf, textOfName } from '../names';

/** The input of the files of a plugin. */
export interface Plugin {
  /** Id of the plugin, and name of its folder. */
  readonly id: string;
  readonly displayName: string;
  /** Class of its item type; none unless given. */
  readonly itemType?: string;
  readonly routes: boolean;
  readonly service: boolean;
  readonly pages: boolean;
  /** Whether it is made within a project, whose packages it uses. */
  readonly inProject: boolean;
}

/** `test-drive` for `TestDrive`. */
export function fileOf(itemType: string): string {
  return textOfName(itemType).toLowerCase().replaceAll(' ', '-');
}

/** The workflow type of the generated service: `recipeGreeting` for `recipes`. */
export function workflowOf(id: string): string {
  const name = itemTypeOf(id);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Greeting`;
}
