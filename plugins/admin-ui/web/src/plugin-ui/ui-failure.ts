import type { PluginUiReport } from '@gantry/contracts';
import { messageOf } from '../api/api-error';

/** Failure of the pages of a plugin, for a person: the plugin, the problem, and the remedy for its author. */
export class UiFailure extends Error {
  override readonly name = 'UiFailure';

  constructor(
    readonly plugin: Pick<PluginUiReport, 'id' | 'displayName'>,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** A failure while a part of the plugin was drawn or run. */
export function failureOf(plugin: Pick<PluginUiReport, 'id' | 'displayName'>, error: unknown): UiFailure {
  return error instanceof UiFailure
    ? error
    : new UiFailure(plugin, `${sentence(messageOf(error))}${hint(error)}`, error);
}

/** React that is not the one of the pages has no idea of what they are drawing. */
function hint(error: unknown): string {
  const ownReact = /reading 'use[A-Z]|Invalid hook call|Minified React error #(321|525)/.test(messageOf(error));
  return ownReact
    ? ' Its module seems to contain its own React; it has to use the one of the pages (see @gantry/ui/vite).'
    : '';
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
