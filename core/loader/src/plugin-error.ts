/** An error that ends a whole start, or a command on plugins. */
export type PluginErrorCode =
  | 'PLUGIN_STATE_DAMAGED'
  | 'PLUGIN_STATE_BUSY'
  | 'PLUGIN_UNKNOWN'
  | 'PLUGIN_REQUIRED'
  | 'PLUGIN_NEEDED'
  | 'PLUGIN_UNUSABLE'
  | 'PLUGIN_NOT_FETCHED'
  | 'PLUGIN_SET_CHANGED'
  | 'PLUGIN_INSTALLED'
  | 'PLUGIN_NOT_INSTALLED'
  | 'PLUGIN_IN_USE'
  | 'PACKAGE_LACKING'
  | 'REQUIRED_PLUGIN_FAILED'
  | 'GENERATION_REFUSED';

/** An error about plugins for a person to read: message says what, `remedy` what to do. */
export class PluginError extends Error {
  override readonly name = 'PluginError';

  constructor(
    readonly code: PluginErrorCode,
    message: string,
    readonly remedy: string,
    options: ErrorOptions & { readonly dependents?: readonly string[] } = {},
  ) {
    super(message, options);
    this.dependents = options.dependents ?? [];
  }

  /** Ids of the plugins that prevent that another one is disabled, the direct ones first. */
  readonly dependents: readonly string[];
}
