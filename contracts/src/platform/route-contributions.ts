/** A command of a plugin: a call of one of its routes, as its manifest declares it. @public */
export interface CommandContribution {
  /** Follows the id of the plugin: `gantry call recipes quickest`. */
  readonly name: string;
  /** The `operationId` of the route, or its method and path as in `routes`. */
  readonly route: string;
}

/** A card of the home page: rows of one of the plugin's routes, which answers a list of objects. @public */
export interface HomeCardContribution extends CommandContribution {
  /** The heading of the card. */
  readonly title: string;
  /** Member of a row: its text. */
  readonly text: string;
  /** Member of a row that is shown after the text. */
  readonly value?: string | undefined;
  /** Address below `/admin` that the text leads to; `{id}` is the member `id` of the row. */
  readonly link?: string | undefined;
}

/** A page that is a table: rows of one of the plugin's routes, with commands as buttons. @public */
export interface TablePageContribution extends CommandContribution {
  /** Of the page and of its entry in the navigation. */
  readonly title: string;
  /** Name of an icon that the admin pages have; a plug for one they do not know. */
  readonly icon?: string | undefined;
  /** Members of a row that are columns; all unless given. */
  readonly columns?: readonly string[] | undefined;
  /** Names of commands of the same plugin; those whose routes have parameters in the path are offered for each row. */
  readonly actions?: readonly string[] | undefined;
}

/** Contributions that are made of routes: no code of theirs runs elsewhere. @public */
export interface RouteContributions {
  /** Calls of routes from the command line; absent for a plugin that has none. */
  readonly commands?: readonly CommandContribution[];
  /** Cards of the home page; absent for a plugin that has none. */
  readonly homeCards?: readonly HomeCardContribution[];
  /** Pages that are tables; absent for a plugin that has none. */
  readonly tablePages?: readonly TablePageContribution[];
}

/** A member of rows, by its schema. @public */
export interface RowMember {
  readonly name: string;
  readonly title: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'instant';
}

/** A card or page as the admin pages draw it. @public */
export interface ContributedView {
  /** Id of the plugin. */
  readonly plugin: string;
  readonly pluginName: string;
  readonly name: string;
  readonly title: string;
  /** Of the route that answers its rows. */
  readonly path: string;
}

/** A card of the home page as the admin pages draw it. @public */
export interface HomeCard extends ContributedView {
  readonly text: RowMember;
  readonly value?: RowMember;
  readonly link?: string;
}

/** A page that is a table, as the admin pages draw it. @public */
export interface TablePage extends ContributedView {
  readonly icon: string;
  readonly columns: readonly RowMember[];
  /** Names of commands. */
  readonly actions: readonly string[];
}

/** Cards and pages of plugins whose routes a caller may use. @public */
export interface ContributedViews {
  readonly homeCards: readonly HomeCard[];
  readonly tablePages: readonly TablePage[];
}
