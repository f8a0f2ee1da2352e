import type { FieldKind } from '../../src/content/kinds/field-kind';
import { modulesOf } from './modules-of';

export const kindModules = modulesOf<FieldKind>('index.ts', 'fieldKind');

export function typeIn(file: string): string {
  return file.split('/')[1]?.toUpperCase() ?? '';
}
