/** A setting that cannot be used; its message names the variable, the value and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
