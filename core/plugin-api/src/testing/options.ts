/** Settings of the contract test; all of them may be left out. @public */
export interface PluginTestOptions {
  /**
   * Folder of the project in which the plugin is tested, with its own plugins. Unless given, the working directory if it has
   * plugins or services, else the folder of the platform that brings this test.
   */
  readonly project?: string;
  /** The JavaScript file of the `gantry` command; that of the package @gantry/cli unless given. */
  readonly gantry?: string;
  /** Arguments after `gantry up`. */
  readonly args?: readonly string[];
  /** Additional environment of the platform, for example another `DATABASE_URL`. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Values that cannot be made from the metadata, such as text with a pattern, by `<type>.<field>`. Called for every item;
   * for a field that is unique, it has to give another value each time.
   */
  readonly values?: Readonly<Record<string, () => unknown>>;
  /** Milliseconds that the platform may take to be ready; two minutes unless given. */
  readonly startTimeout?: number;
}

export const defaultStartTimeout = 120_000;
