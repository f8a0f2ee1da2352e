import type { FormField } from '@gantry/contracts';
import { createContext, useContext, type ComponentType } from 'react';
import type { FormValue } from '../api/items';

interface PartControlProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValue;
  readonly error: string | undefined;
  onChange(value: FormValue): void;
}

const PartControlContext = createContext<ComponentType<PartControlProps> | undefined>(undefined);

/** Around a control that a plugin may bring: gives it the controls for the parts of its value. */
export const PartControlProvider = PartControlContext;

export function usePartControl(): ComponentType<PartControlProps> {
  const control = useContext(PartControlContext);
  if (control === undefined) throw new Error('FieldControl can be used within the control of a field only.');
  return control;
}
