import { describeError, ConfigError } from '@gantry/core-common';
import { isGantryError } from '@gantry/plugin-api';
import { DatabaseError, SchemaError } from '@gantry/core-database';
import { PluginError } from '@gantry/core-loader';

/** Why a host could not start, for a person: what is wrong and what to do. */
export interface StartFailure {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** False for a fault of the platform itself, whose stack belongs into the log. */
  readonly isExpected: boolean;
}

/** @param environment names the port that could not be had */
export function describeFailure(
  error: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): StartFailure {
  if (error instanceof ConfigError) {
    return expected('CONFIG_INVALID', `${error.message}.`, 'Correct or unset it and start again.');
  }
  if (error instanceof PluginError || error instanceof SchemaError || error instanceof DatabaseError) {
    return expected(error.code, error.message, error.remedy);
  }
  if (isGantryError(error)) {
    return expected(error.code, error.message, 'Check whether PostgreSQL is running, and start again.');
  }
  const code = codeOfListening(error);
  const port = environment['GANTRY_PORT'] ?? '3000';
  switch (code) {
    case 'EADDRINUSE':
      return expected(
        'PORT_IN_USE',
        `Port ${port} is in use by another program.`,
        'Stop that program, or start with another port: GANTRY_PORT=3001 (0 lets the system choose).',
      );
    case 'EACCES':
      return expected(
        'PORT_FORBIDDEN',
        `Port ${port} may not be used by this user.`,
        'Choose one above 1023: GANTRY_PORT=3001.',
      );
    default:
      return {
        code: 'INTERNAL',
        message: `The host failed to start: ${describeError(error)}.`,
        remedy: 'See the log for details.',
        isExpected: false,
      };
  }
}

/** The system's code where a port could not be had; a file that may not be read has the same one. */
function codeOfListening(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return error.syscall === 'listen' || error.syscall === 'bind' ? String(error.code) : undefined;
}

function expected(code: string, message: string, remedy: string): StartFailure {
  return { code, message, remedy, isExpected: true };
}
