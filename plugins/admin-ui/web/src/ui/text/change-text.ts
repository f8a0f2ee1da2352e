import type { ChangeSource } from '@gantry/contracts';
import type { ItemChange } from '../../api/changes';

/** Who changed an item, for a reader. */
export function actorText({ actor, actorName }: Pick<ItemChange, 'actor' | 'actorName'>): string {
  if (actorName !== undefined && actorName !== '') return actorName;
  if (actor === undefined) return 'Unknown actor';
  const [kind = '', name = ''] = actor.split(/:(.*)/s);
  switch (kind) {
    case 'local':
      return 'Local user';
    case 'system':
      return 'System';
    case 'command':
      return 'Command line';
    case 'user':
      return `User ${name}`;
    case 'plugin':
      return `Plugin ${name}`;
    case 'database':
      return `Database user ${name}`;
    default:
      return actor;
  }
}

/** By which way a change came, where it is not the usual one. */
export function sourceText(source: ChangeSource | undefined): string | undefined {
  switch (source) {
    case 'import':
      return 'by an import';
    case 'migration':
      return 'by a migration';
    case 'sql':
      return 'by SQL';
    case 'plugin':
      return 'by a plugin';
    case 'system':
      return 'by the platform';
    case 'rest':
    case undefined:
      return undefined;
  }
}
