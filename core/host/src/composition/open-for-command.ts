import { withoutTemporal, type CommandOptions } from './compile-for-command';
import { openContent, type Content } from './open-content';

/** The content for a command: plugins are loaded and linked, the schema is brought up to date, and no plugin is started. */
export function openContentForCommand(options: CommandOptions): Promise<Content> {
  return openContent({ ...options, quarantines: [], temporal: withoutTemporal });
}
