import type { FieldView } from '../../src/content/kinds/field-view';
import { modulesOf } from './modules-of';

export const laterViewModules = modulesOf<FieldView>('later-view.tsx', 'fieldView');
