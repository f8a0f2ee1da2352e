import type { Logger } from '@gantry/plugin-api';
import { limitStream, maxLines } from '@gantry/core-common';
import type { HostProcess } from './host-process';

/** Of what a plugin prints in an interval, with {@link maxLines}. */
const maxCharacters = 512 * 1024;
const intervalMs = 5_000;

/** Bounds what plugins print: each line that is written blocks the process until the launcher has read it. */
export interface OutputLimit {
  /** Counts a line of a plugin. @returns whether it is to be written */
  admits(plugin: string, characters: number): boolean;
}

export interface OutputLimitOptions {
  readonly host: Pick<HostProcess, 'after'>;
  readonly logger: Logger;
  /** The plugin whose code runs. */
  readonly current: () => string | undefined;
}

/** From here on, also `console` and the streams of the process are bounded. The host's own logs are not. */
export function limitOutput({ host, logger, current }: OutputLimitOptions): OutputLimit {
  const used = new Map<string, Usage>();
  const finishInterval = (plugin: string): void => {
    const dropped = used.get(plugin)?.dropped ?? 0;
    used.delete(plugin);
    if (dropped > 0) reportDropped(logger, plugin, dropped);
  };
  const admits = (plugin: string, characters: number): boolean => {
    const usage = used.get(plugin) ?? { lines: 0, characters: 0, dropped: 0 };
    if (usage.lines === 0) {
      used.set(plugin, usage);
      host.after(intervalMs, () => finishInterval(plugin));
    }
    const isWithin = usage.lines < maxLines && usage.characters + characters <= maxCharacters;
    usage.lines += 1;
    if (isWithin) usage.characters += characters;
    else usage.dropped += 1;
    return isWithin;
  };
  for (const stream of [process.stdout, process.stderr]) {
    limitStream(stream, (characters) => admits(current() ?? unknownPlugin, characters));
  }
  return { admits };
}

interface Usage {
  lines: number;
  characters: number;
  dropped: number;
}

/** Of code whose asynchronous context is lost. */
const unknownPlugin = '';

function reportDropped(logger: Logger, plugin: string, dropped: number): void {
  const whose = plugin === unknownPlugin ? 'of plugins' : `of the plugin ${plugin}`;
  const limit = `${maxLines} lines or ${maxCharacters / 1024} KiB in ${intervalMs / 1000} s`;
  logger.warn({ plugin, dropped }, `${dropped} lines ${whose} were dropped: a plugin may print ${limit}`);
}
