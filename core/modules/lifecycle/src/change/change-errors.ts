import type { PluginCheckReport } from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { PluginError, type PluginErrorCode } from '@gantry/core-loader';

const codes: Partial<Record<PluginErrorCode, GantryError['code']>> = {
  PLUGIN_UNKNOWN: 'PLUGIN_NOT_FOUND',
  PLUGIN_REQUIRED: 'PLUGIN_REQUIRED',
  PLUGIN_NEEDED: 'PLUGIN_NEEDED',
  PLUGIN_STATE_BUSY: 'UNAVAILABLE',
  PLUGIN_SET_CHANGED: 'PLUGIN_SET_CHANGED',
};

/** Runs work on plugins; what it refuses is refused to the client, with the remedy. */
export async function asRequestError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    throw new GantryError(
      codes[error.code] ?? 'CONFLICT',
      `${withoutStop(error.message)}. ${withoutStop(error.remedy)}.`,
      { cause: error },
    );
  }
}

/** Why a plugin is not enabled: every problem of its check, with the remedy. */
export function refuseChecked({ plugin, lines }: PluginCheckReport): GantryError {
  const problems = lines.filter(({ outcome }) => outcome === 'problem');
  return new GantryError(
    'PLUGIN_CHECK_FAILED',
    `The plugin ${plugin} is not enabled: ${withoutStop(problems[0]?.message)}.`,
    {
      details: problems.map(({ part, code = 'PROBLEM', message, remedy }) => ({
        path: part,
        code,
        message: remedy === undefined ? message : `${withoutStop(message)}. ${remedy}`,
      })),
    },
  );
}

/** Some of the sentences have a full stop already. */
function withoutStop(sentence = ''): string {
  return sentence.replace(/\.$/, '');
}
