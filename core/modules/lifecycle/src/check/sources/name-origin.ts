import type { PluginCheckLine } from '@gantry/contracts';
import type { PackageSource } from './check-target';

/** Lines in which a temporary copy is called what a person named. */
export function nameOrigin(
  lines: readonly PluginCheckLine[],
  { folder, origin = folder }: PackageSource,
): readonly PluginCheckLine[] {
  const named = (text: string): string => text.replaceAll(folder, () => origin);
  return lines.map((line) => ({
    ...line,
    message: named(line.message),
    ...(line.remedy === undefined ? {} : { remedy: named(line.remedy) }),
    ...(line.details === undefined ? {} : { details: line.details.map(named) }),
  }));
}
