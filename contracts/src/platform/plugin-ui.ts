/**
 * The version of the UI API (`@gantry/ui`) that the admin pages give to plugins. It grows by one when a built module of
 * the version before would not work any more.
 * @public
 */
export const uiApiVersion = 1;

/** A page of a plugin, as its manifest names it; menus are drawn from this alone. @public */
export interface PluginPage {
  /** Below `/admin/x/<plugin>/`; the empty path is the plugin's first page. */
  readonly path: string;
  readonly title: string;
  /** Name of an icon that the admin pages have; a plug for one they do not know. */
  readonly icon: string;
}

/** Something that a plugin does with one item; offered in the item's menu. @public */
export interface PluginItemAction {
  /** Type code of the items it is offered for. */
  readonly type: string;
  /** Name among the actions of its type. */
  readonly name: string;
  readonly title: string;
}

/** Why the pages of a plugin are not served although the plugin runs. @public */
export interface PluginUiProblem {
  readonly code: string;
  readonly reason: string;
  readonly remedy: string;
}

/** Additions of a plugin to the admin pages, from its manifest: known without running any of its code. @public */
export interface PluginUi {
  readonly apiVersion: number;
  /** Address of the built module, for `import()`. Absent while it is not served. */
  readonly address?: string;
  readonly pages: readonly PluginPage[];
  /** Controls of form fields: `<type>.<field>`, or the field type, such as `TEXT`. */
  readonly fields: readonly string[];
  /** Cells of tables, named as fields are. */
  readonly cells: readonly string[];
  /** Controls of filters, named as fields are; absent for a plugin that brings none. */
  readonly filters?: readonly string[] | undefined;
  readonly itemActions: readonly PluginItemAction[];
  readonly problem?: PluginUiProblem;
}
