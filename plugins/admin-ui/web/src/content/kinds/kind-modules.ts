import type { FieldKind } from './field-kind';

/** Vite lists the folders when it builds: a kind is its folder, and no line elsewhere. */
export const kindModules = import.meta.glob<FieldKind>('./*/index.ts', { eager: true, import: 'fieldKind' });

/** The field type after which a folder is named. */
export function typeIn(file: string): string {
  return file.split('/')[1]?.toUpperCase() ?? '';
}
