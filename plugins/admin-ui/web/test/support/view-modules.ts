import type { FieldView } from '../../src/content/kinds/field-view';
import { modulesOf } from './modules-of';

export const viewModules = modulesOf<FieldView>('view.tsx', 'fieldView');
