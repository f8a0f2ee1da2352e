import type { Method, RouteAccess } from '@gantry/plugin-api';

/** A command of a plugin: how its arguments and options become a request to a route of the plugin. */
export interface PluginCommand {
  readonly plugin: string;
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  /** Those of the path first, in its order. */
  readonly values: readonly CommandValue[];
  /** The request has to have an `Idempotency-Key`. */
  readonly needsKey?: true;
}

/** A command, and who may use it: the callers of its route. */
export interface RegisteredCommand {
  readonly command: PluginCommand;
  readonly access: RouteAccess | undefined;
}

/** An argument of a command, for a parameter of the path; or an option, for one of the query or a member of the body. */
export interface CommandValue {
  readonly in: 'path' | 'query' | 'body';
  /** Its name in the request; `body` where it is the whole body. */
  readonly name: string;
  readonly isWhole?: true;
  /** How the text of the command line is sent: `json` is the text of any JSON, for values that are no scalars. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  /** It may be given several times. */
  readonly isList?: true;
  readonly required: boolean;
  readonly choices?: readonly string[];
  readonly description?: string;
}
